package io.heddle.api.node;

import io.heddle.core.lifecycle.NodeStatus;
import java.time.Instant;
import java.util.List;

/**
 * JSON representation of a node.
 *
 * @param state one of NEW, STARTING, READY, STOPPING, STOPPED
 * @param role one of JOINING, STANDBY, TAKING_OVER, SERVING, LEAVING; a node that drains is LEAVING, though its broker is READY
 * @param startedAt ISO 8601, UTC
 * @param uptime whole seconds
 */
record NodeResponse(
        String nodeId,
        String version,
        String state,
        String role,
        Instant startedAt,
        long uptime,
        List<String> listeners,
        long connectedClients,
        long subscriptions) {

    static NodeResponse of(NodeStatus status) {
        return new NodeResponse(
                status.nodeId(),
                status.version(),
                status.state().name(),
                status.role().name(),
                status.startedAt(),
                status.uptime().toSeconds(),
                status.listeners(),
                status.connectedClients(),
                status.subscriptions());
    }
}
