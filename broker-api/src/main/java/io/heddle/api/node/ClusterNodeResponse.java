package io.heddle.api.node;

import io.heddle.core.lifecycle.ClusterNode;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of a member of the cluster.
 *
 * @param role one of JOINING, TAKING_OVER, SERVING, LEAVING
 * @param buckets the number of buckets that the node holds
 * @param connections the number of its open MQTT connections, as it has told some seconds ago at most; null if it has not
 * @param version of the program; null if the node has not told it
 * @param cpuUsage of its process, from 0 to 1 (all processors that it may use), as it has told some seconds ago at most; null if it has not
 * @param recordsBehind the number of records of the log of nodes that the node had not read at its last heartbeat
 * @param self whether this node answers
 * @param linkAddress where the node listens for links; empty if it opens none
 * @param linkUp whether the link from this node to it is up; null for this node and without links
 * @param checksums those of the state of this node, if the request asks for them; else null
 */
record ClusterNodeResponse(
        String nodeId,
        String incarnation,
        String address,
        String role,
        int buckets,
        @Nullable Integer connections,
        @Nullable String version,
        @Nullable Double cpuUsage,
        long recordsBehind,
        boolean self,
        String linkAddress,
        @Nullable Boolean linkUp,
        @Nullable ChecksumsResponse checksums) {

    static ClusterNodeResponse of(ClusterNode node, @Nullable ChecksumsResponse checksums) {
        return new ClusterNodeResponse(
                node.nodeId(),
                node.incarnation(),
                node.address(),
                node.role().name(),
                node.buckets(),
                node.connections(),
                node.version(),
                node.cpuUsage(),
                node.recordsBehind(),
                node.isSelf(),
                node.linkAddress(),
                node.isLinkUp(),
                checksums);
    }
}
