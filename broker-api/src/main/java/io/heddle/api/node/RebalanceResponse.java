package io.heddle.api.node;

import io.heddle.core.node.operation.RebalancePlan;
import java.util.List;

/**
 * JSON representation of a rebalance that begins.
 *
 * @param nodes the serving nodes
 * @param unknown ids of serving nodes that have not told how many connections they have; if there are any, nothing is done
 */
record RebalanceResponse(List<Share> nodes, List<String> unknown) {
    /**
     * The share of a node.
     *
     * @param connections that the node has
     * @param surplus the number of connections that it closes
     */
    record Share(String nodeId, int connections, int surplus) {}

    static RebalanceResponse of(RebalancePlan plan) {
        return new RebalanceResponse(
                plan.shares().stream()
                        .map(share -> new Share(share.nodeId(), share.connections(), share.surplus()))
                        .toList(),
                plan.unknown());
    }
}
