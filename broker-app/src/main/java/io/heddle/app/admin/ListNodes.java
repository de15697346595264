package io.heddle.app.admin;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "nodes",
        description =
                "Prints the nodes of the cluster, as seen by the one that is asked: role, buckets that the node holds,"
                        + " clients, CPU usage, link to the node, records of the log of nodes that it has yet to read,"
                        + " and version.")
final class ListNodes implements Runnable {
    private static final List<Column> NODES = List.of(
            Column.of("NODE", "nodeId"),
            Column.lower("ROLE", "role"),
            Column.of("BUCKETS", "buckets"),
            Column.of("CLIENTS", "connections"),
            new Column("CPU", ListNodes::cpu),
            new Column("LINK", ListNodes::link),
            Column.of("BEHIND", "recordsBehind"),
            Column.of("VERSION", "version"),
            new Column("ADDRESS", ListNodes::address),
            Column.of("INCARNATION", "incarnation"));

    @Mixin
    private final ListOptions list = new ListOptions();

    @Mixin
    private final OrderOption order = new OrderOption();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "only nodes with this role: joining, taking_over, serving or leaving")
    private @Nullable String role;

    @Override
    public void run() {
        list.print(ApiPath.of("nodes").with("role", role).with("sort", order.ofDefault("nodeId")), NODES);
    }

    static String table(JsonNode nodes) {
        return Table.of(NODES, nodes);
    }

    private static String cpu(JsonNode node) {
        JsonNode usage = node.path("cpuUsage");
        return usage.isNumber() ? Math.round(usage.asDouble() * 100) + "%" : "";
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
