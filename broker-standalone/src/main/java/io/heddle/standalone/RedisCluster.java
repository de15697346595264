package io.heddle.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes one Redis Cluster of several masters: spreads the slots over them and introduces them to each other. */
final class RedisCluster {
    private static final int SLOTS = 16_384;
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final List<RedisProcess> nodes;

    RedisCluster(List<RedisProcess> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Does what is not done yet; all nodes must answer. After a start on other ports the introduction alone brings the
     * nodes together again.
     */
    void form() throws IOException {
        for (int i = 0; i < nodes.size(); i++) {
            try (RedisConnection connection = nodes.get(i).connect(ANSWER)) {
                String info = connection.ask("CLUSTER", "NODES");
                if (!ownsSlots(info)) {
                    connection.ask("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
                    connection.ask(addSlots(i, nodes.size()));
                }
            }
        }
        try (RedisConnection first = nodes.getFirst().connect(ANSWER)) {
            for (RedisProcess other : nodes.subList(1, nodes.size())) {
                first.ask("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
            }
        }
    }

    /** @param clusterNodes the answer to CLUSTER NODES: nine fields per node, slots from the ninth on */
    static boolean ownsSlots(String clusterNodes) {
        return clusterNodes
                .lines()
                .anyMatch(line -> line.contains("myself") && line.strip().split(" ", -1).length > 8);
    }

    static String[] addSlots(int node, int nodes) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        for (int slot = SLOTS * node / nodes; slot < SLOTS * (node + 1) / nodes; slot++) {
            command.add(Integer.toString(slot));
        }
        return command.toArray(String[]::new);
    }
}
