package io.heddle.api.node;

import io.heddle.core.lifecycle.ClusterNode;

/**
 * JSON representation of a member of the cluster.
 *
 * @param role one of JOINING, STANDBY, TAKING_OVER, SERVING, LEAVING
 * @param buckets the number of buckets that the node holds
 * @param recordsBehind the number of records of the log of nodes that the node had not read at its last heartbeat
 * @param self whether this node answers
 */
record ClusterNodeResponse(
        String nodeId, String incarnation, String address, String role, int buckets, long recordsBehind, boolean self) {

    static ClusterNodeResponse of(ClusterNode node) {
        return new ClusterNodeResponse(
                node.nodeId(),
                node.incarnation(),
                node.address(),
                node.role().name(),
                node.buckets(),
                node.recordsBehind(),
                node.isSelf());
    }
}
