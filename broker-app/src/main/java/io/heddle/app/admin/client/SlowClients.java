package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "slow-clients",
        description =
                "Lists the connected clients for which most messages of QoS 1 and 2 wait, since when, and why. The growth per second is"
                        + " known from the second call within five minutes on.")
public final class SlowClients implements Runnable {
    private static final List<Column> COLUMNS = List.of(
            Column.of("CLIENT", "clientId"),
            Column.of("NODE", "node"),
            Column.of("SINCE", "since"),
            Column.of("WAITING", "waiting"),
            Column.of("GROWTH/S", "growth"),
            Column.of("SECONDS UNTIL FULL", "secondsUntilFull"),
            Column.of("ADVICE", "advice"));

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(names = "--limit", paramLabel = "N", description = "number of clients, 1 to 100 (default: 20)")
    private @Nullable Integer limit;

    @Override
    public void run() {
        output.print(node -> node.get(ApiPath.of("slow-clients").with("limit", limit)), SlowClients::text);
    }

    static String text(JsonNode found) {
        JsonNode items = found.path("items");
        return (items.isEmpty() ? "No messages wait for a connected client." : Table.of(COLUMNS, items.values()))
                + ShowTop.missing(found);
    }
}
