package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "topics",
        description =
                "Shows the topics of the cluster with the most messages, level by level. Rates are estimates for the last half to"
                        + " whole minute; topics with little traffic are missing.")
public final class ShowTopics implements Runnable {
    private static final String INDENT = "  ";

    private static final List<Column> COLUMNS = List.of(
            Column.of("TOPIC", "label"),
            Column.of("MESSAGES IN/S", "messagesIn"),
            Column.of("MESSAGES OUT/S", "messagesOut"),
            Column.of("BYTES IN/S", "bytesIn"),
            Column.of("BYTES OUT/S", "bytesOut"));

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(names = "--limit", paramLabel = "N", description = "number of topics, 1 to 1000 (default: 200)")
    private @Nullable Integer limit;

    @Override
    public void run() {
        output.print(node -> node.get(ApiPath.of("top/topics").with("limit", limit)), ShowTopics::text);
    }

    /** Returns a line for each branch, indented by its depth. */
    static String text(JsonNode tree) {
        List<JsonNode> lines = new ArrayList<>();
        addLines(tree.path("branches"), "", lines);
        return (lines.isEmpty()
                        ? "No client has sent or received messages in the last minute."
                        : Table.of(COLUMNS, lines))
                + ShowTop.missing(tree);
    }

    private static void addLines(JsonNode branches, String indent, List<JsonNode> lines) {
        for (JsonNode each : branches) {
            boolean hasMore = !each.path("branches").isEmpty();
            ObjectNode line = ((ObjectNode) each.path("traffic")).deepCopy();
            line.put("label", indent + each.path("levels").asString() + (hasMore ? "/" : ""));
            lines.add(line);
            addLines(each.path("branches"), indent + INDENT, lines);
        }
    }
}
