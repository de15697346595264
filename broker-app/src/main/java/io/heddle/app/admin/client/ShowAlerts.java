package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
        name = "alerts",
        description =
                "Lists the alerts that fire at all nodes now, with what to do. Prometheus has rules with the same names.")
public final class ShowAlerts implements Runnable {
    private static final List<Column> COLUMNS = List.of(
            Column.lower("SEVERITY", "severity"),
            Column.of("SINCE", "since"),
            Column.of("NODE", "node"),
            Column.of("ALERT", "name"),
            Column.of("SUMMARY", "summary"),
            Column.of("REMEDY", "remedy"));

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public void run() {
        output.print(node -> node.get(ApiPath.of("alerts")), ShowAlerts::text);
    }

    /** Returns a table, or a sentence if no alert fires. */
    static String text(JsonNode answer) {
        JsonNode alerts = answer.path("items");
        return (alerts.isEmpty() ? "No alert fires." : Table.of(COLUMNS, alerts.values())) + ShowTop.missing(answer);
    }
}
