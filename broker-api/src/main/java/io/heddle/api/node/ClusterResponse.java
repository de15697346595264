package io.heddle.api.node;

import io.heddle.core.node.operation.Steadiness;
import java.util.List;

/**
 * JSON representation of the state of the cluster.
 *
 * @param steady whether all members serve, each bucket is held by its rightful owner, all links are up, and no node is behind
 * @param servingNodes the number of members that serve, or stand by
 * @param obstacles clauses that say why the cluster is not steady; empty if it is
 */
record ClusterResponse(boolean steady, int servingNodes, List<String> obstacles) {
    static ClusterResponse of(Steadiness steadiness) {
        return new ClusterResponse(steadiness.isSteady(), steadiness.servingNodes(), steadiness.obstacles());
    }
}
