package io.heddle.core.operator.alert;

import java.util.List;

/**
 * The alerts that fire at the nodes.
 *
 * @param entries critical ones first, then the latest first
 * @param missingNodes the nodes that have not answered
 */
public record ClusterAlerts(List<Entry> entries, List<String> missingNodes) {
    /** @param node the id of the node at which it fires */
    public record Entry(String node, Alert alert) {}

    public ClusterAlerts {
        entries = List.copyOf(entries);
        missingNodes = List.copyOf(missingNodes);
    }
}
