package io.heddle.app.admin;

import io.heddle.app.admin.client.ShowTop;
import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
        name = "ledger",
        description =
                "Shows where copies of messages have come from and gone to in the last minute, on all nodes, and those that are"
                        + " not accounted for.")
final class ShowLedger implements Runnable {
    private static final List<Column> COLUMNS = List.of(
            Column.of("ACCOUNT", "account"),
            Column.of("SIDE", "side"),
            Column.of("FLOW", "flow"),
            Column.of("COPIES", "copies"));

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public void run() {
        output.print(node -> node.get(ApiPath.of("ledger")), ShowLedger::text);
    }

    static String text(JsonNode ledger) {
        StringBuilder text = new StringBuilder()
                .append("In ")
                .append(ledger.path("cluster").path("seconds").asLong())
                .append(" s:\n")
                .append(Table.of(COLUMNS, ledger.path("cluster").path("flows").values()));
        for (JsonNode node : ledger.path("nodes").values()) {
            for (JsonNode each : node.path("differences").values()) {
                if (each.path("copies").asLong() != 0) {
                    text.append("\nNOT ACCOUNTED FOR at ")
                            .append(node.path("node").asString())
                            .append(": ")
                            .append(each.path("copies").asLong())
                            .append(" (")
                            .append(each.path("account").asString())
                            .append(')');
                }
            }
        }
        return text.append(ShowTop.missing(ledger)).toString();
    }
}
