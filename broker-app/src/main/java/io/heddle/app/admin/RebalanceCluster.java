package io.heddle.app.admin;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Evens out the connections of the nodes. */
@Command(
        name = "rebalance",
        description =
                "Lets each node that has over 10 %% more connections than the mean of the nodes close the surplus, at"
                        + " the rate heddle.drain.rate. Their DISCONNECT tells clients of MQTT 5.0 which node to use. Can be repeated.")
final class RebalanceCluster implements Callable<Integer> {
    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Override
    public Integer call() {
        JsonNode plan = request.post(ApiPath.of("cluster/rebalance"), null).json();
        String unknown = unknown(plan);
        if (!unknown.isEmpty()) {
            Console.printError("Cannot rebalance: the number of connections is not known of " + unknown
                    + "; check its link with `heddle admin nodes` and repeat the command");
            return 1;
        }
        Console.print(report(plan));
        return 0;
    }

    static String unknown(JsonNode plan) {
        List<String> names = new ArrayList<>();
        plan.path("unknown").forEach(each -> names.add(ControlCharacters.escaped(each.asString(""))));
        return String.join(", ", names);
    }

    static String report(JsonNode plan) {
        List<String> lines = new ArrayList<>();
        int closing = 0;
        for (JsonNode node : plan.path("nodes")) {
            int surplus = node.path("surplus").asInt(0);
            closing += surplus;
            lines.add(ControlCharacters.escaped(node.path("nodeId").asString("-")) + ": "
                    + node.path("connections").asInt(0) + " connections"
                    + (surplus == 0 ? "" : ", closes " + surplus));
        }
        lines.add(
                closing == 0
                        ? "No node has more than its share of the connections"
                        : "The nodes log when they are done; `heddle admin nodes` shows their connections");
        return String.join("\n", lines);
    }
}
