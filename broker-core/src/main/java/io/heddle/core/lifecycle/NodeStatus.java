package io.heddle.core.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a node says of itself. The counts are read one after the other, not at one instant.
 *
 * @param version the broker's version
 * @param state where the broker is in its life
 * @param startedAt when this process began, by the wall clock
 * @param uptime how long ago that is, by a monotonic clock; not negative
 * @param listeners where clients may connect, each as an operator would write it, e.g. {@code tcp://127.0.0.1:1883}; empty
 *     while none is open
 * @param connectedClients clients connected to this node
 * @param subscriptions subscriptions of the sessions on this node
 */
public record NodeStatus(
        String version,
        Broker.State state,
        Instant startedAt,
        Duration uptime,
        List<String> listeners,
        long connectedClients,
        long subscriptions) {

    public NodeStatus {
        listeners = List.copyOf(listeners);
    }
}
