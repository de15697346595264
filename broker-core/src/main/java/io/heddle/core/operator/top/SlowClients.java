package io.heddle.core.operator.top;

import java.util.List;

/**
 * The connected clients of all nodes with the most waiting messages.
 *
 * @param clients that with the most first
 * @param missingNodes the nodes that have not answered
 */
public record SlowClients(List<Entry> clients, List<String> missingNodes) {
    public SlowClients {
        clients = List.copyOf(clients);
        missingNodes = List.copyOf(missingNodes);
    }

    public record Entry(String node, SlowClient client) {}
}
