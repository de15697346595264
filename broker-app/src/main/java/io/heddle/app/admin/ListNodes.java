package io.heddle.app.admin;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Prints the nodes of the cluster as one of them sees them. */
@Command(
        name = "nodes",
        description =
                "Prints the nodes of the cluster, as seen by the one that is asked: role, buckets that the node holds,"
                        + " link to the node, and records of the log of nodes that it has yet to read.",
        mixinStandardHelpOptions = true)
final class ListNodes implements Runnable {
    private static final List<Column> NODES = List.of(
            Column.of("NODE", "nodeId"),
            Column.lower("ROLE", "role"),
            Column.of("BUCKETS", "buckets"),
            Column.of("CLIENTS", "connections"),
            new Column("LINK", ListNodes::link),
            Column.of("BEHIND", "recordsBehind"),
            new Column("ADDRESS", ListNodes::address),
            Column.of("INCARNATION", "incarnation"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public void run() {
        try (NodeClient node = request.connect()) {
            output.print(node.get(ApiPath.of("nodes")), ListNodes::table);
        }
    }

    static String table(JsonNode nodes) {
        return Table.of(NODES, nodes);
    }

    /** The link of the node that answers is called "self". */
    private static String link(JsonNode node) {
        if (node.path("self").asBoolean(false)) {
            return "self";
        }
        JsonNode up = node.path("linkUp");
        return up.isBoolean() ? (up.asBoolean() ? "up" : "down") : "";
    }

    private static String address(JsonNode node) {
        String address = node.path("address").asString("");
        return address.isEmpty() ? node.path("linkAddress").asString("") : address;
    }
}
