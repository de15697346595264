package io.heddle.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Forms a Redis Cluster: distributes the slots among the masters and introduces the nodes to each other. */
final class RedisCluster {
    private static final int SLOTS = 16_384;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final List<RedisProcess> nodes;

    RedisCluster(List<RedisProcess> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Completes the cluster; all nodes must reply. After a start on other ports, CLUSTER MEET is sufficient to connect the nodes again.
     */
    void form() throws IOException {
        for (int i = 0; i < nodes.size(); i++) {
            try (RedisConnection connection = nodes.get(i).connect(TIMEOUT)) {
                String info = connection.execute("CLUSTER", "NODES");
                if (!ownsSlots(info)) {
                    connection.execute("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
                    connection.execute(addSlots(i, nodes.size()));
                }
            }
        }
        try (RedisConnection first = nodes.getFirst().connect(TIMEOUT)) {
            for (RedisProcess other : nodes.subList(1, nodes.size())) {
                first.execute("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
            }
        }
    }

    /** @param clusterNodes the reply to CLUSTER NODES: one node per line, slots from the ninth field on */
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
