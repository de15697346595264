package io.heddle.core.lifecycle;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The role of this node in the cluster. States: {@link Role}, in their order. A start-up phase behind the listeners. Set by the thread that
 * starts the broker; any thread may read.
 *
 * <p>Metric: {@code heddle.cluster.serving}.
 */
public final class ClusterRole implements StartupPhase {
    private volatile Role role = Role.JOINING;

    /** The role of a node. */
    public enum Role {
        /** The node joins the cluster, or waits for the end of an earlier run of itself. */
        JOINING,
        /** The node takes its share of the buckets. */
        TAKING_OVER,
        /** The node serves clients. */
        SERVING,
        /** The node closes its connections and leaves the cluster. */
        LEAVING
    }

    public ClusterRole(MeterRegistry registry) {
        Gauge.builder("heddle.cluster.serving", () -> role == Role.SERVING ? 1 : 0)
                .description("Whether this node serves clients")
                .register(registry);
    }

    public Role role() {
        return role;
    }

    /** This node is about to take its share of the buckets. */
    public void onTaking() {
        role = Role.TAKING_OVER;
    }

    /** This node is about to leave: it is not ready any more, but still serves the clients that are connected. */
    public void onDraining() {
        role = Role.LEAVING;
    }

    @Override
    public String name() {
        return "the service of clients";
    }

    @Override
    public void start() {
        role = Role.SERVING;
    }

    @Override
    public void stop() {
        role = Role.LEAVING;
    }
}
