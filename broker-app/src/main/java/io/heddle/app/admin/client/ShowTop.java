package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "top",
        description =
                "Shows the clients and topics of the cluster with the most messages, bytes, drops, connections, subscriptions and"
                        + " waiting messages. Rates are estimates for the last half to whole minute.")
public final class ShowTop implements Runnable {
    private record Ranking(String path, String name, String value) {}

    private static final List<Ranking> RANKINGS = List.of(
            new Ranking("/clients/messagesIn", "CLIENT", "MESSAGES IN/S"),
            new Ranking("/clients/bytesIn", "CLIENT", "BYTES IN/S"),
            new Ranking("/clients/messagesOut", "CLIENT", "MESSAGES OUT/S"),
            new Ranking("/clients/bytesOut", "CLIENT", "BYTES OUT/S"),
            new Ranking("/clients/drops", "CLIENT", "MISSED/S"),
            new Ranking("/clients/connects", "CLIENT", "CONNECTS/S"),
            new Ranking("/clients/subscriptions", "CLIENT", "SUBSCRIPTIONS"),
            new Ranking("/clients/waiting", "CLIENT", "WAITING"),
            new Ranking("/topics/messagesIn", "TOPIC", "MESSAGES IN/S"),
            new Ranking("/topics/bytesIn", "TOPIC", "BYTES IN/S"),
            new Ranking("/topics/messagesOut", "TOPIC", "MESSAGES OUT/S"),
            new Ranking("/topics/bytesOut", "TOPIC", "BYTES OUT/S"));

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(names = "--limit", paramLabel = "N", description = "entries of each ranking, 1 to 100 (default: 10)")
    private @Nullable Integer limit;

    @Override
    public void run() {
        output.print(node -> node.get(ApiPath.of("top").with("limit", limit)), ShowTop::text);
    }

    /** Returns a table for each ranking that is not empty. */
    static String text(JsonNode top) {
        List<String> tables = new ArrayList<>();
        for (Ranking each : RANKINGS) {
            JsonNode items = top.at(each.path).path("items");
            if (!items.isEmpty()) {
                tables.add(Table.of(
                        List.of(Column.of(each.name, "name"), Column.of(each.value, "value")), items.values()));
            }
        }
        return (tables.isEmpty()
                        ? "No client has sent or received messages in the last minute."
                        : String.join("\n\n", tables))
                + missing(top);
    }

    /** Returns a paragraph that names the nodes without an answer, or nothing. */
    public static String missing(JsonNode answer) {
        JsonNode missing = answer.path("missingNodes");
        return missing.isEmpty()
                ? ""
                : "\n\nWithout the nodes that have not answered: "
                        + ControlCharacters.escaped(String.join(
                                ", ",
                                missing.values().stream()
                                        .map(JsonNode::asString)
                                        .toList()));
    }
}
