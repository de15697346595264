package io.heddle.core.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The status of a node. The counts are read one after another, not atomically.
 *
 * @param nodeId the name of the node in the cluster
 * @param version the broker's version
 * @param state the state of the broker
 * @param role the role of the node in the cluster
 * @param startedAt the start of this process, by the wall clock
 * @param uptime the time since then, by a monotonic clock; not negative
 * @param listeners the open listeners as URIs, for example {@code tcp://127.0.0.1:1883}
 * @param connectedClients clients connected to this node
 * @param subscriptions subscriptions of the sessions on this node
 */
public record NodeStatus(
        String nodeId,
        String version,
        Broker.State state,
        ClusterRole.Role role,
        Instant startedAt,
        Duration uptime,
        List<String> listeners,
        long connectedClients,
        long subscriptions) {

    public NodeStatus {
        listeners = List.copyOf(listeners);
    }

    /** Returns whether load balancers should send clients to the node: its broker is ready, and it does not drain. */
    public boolean isServing() {
        return isServing(state, role);
    }

    /** Returns whether load balancers should send clients to a node with this state and role. */
    public static boolean isServing(Broker.State state, ClusterRole.Role role) {
        return state == Broker.State.READY && role != ClusterRole.Role.LEAVING;
    }
}
