package io.heddle.core.lifecycle;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The role of this node in the cluster. States: {@link Role}, in their order; a node that never waits for another skips STANDBY. As the start-up
 * phase behind the listeners it completes a takeover. Set by the thread that starts the broker; any thread may read.
 *
 * <p>Metrics: {@code heddle.cluster.serving}, {@code heddle.cluster.takeovers}, {@code heddle.cluster.takeover.last}.
 */
public final class ClusterRole implements StartupPhase {
    private final LongSupplier nanoTime;
    private final Counter takeovers;
    private volatile Role role = Role.JOINING;
    private volatile long lastTakeoverNanos;
    // Of the starting thread.
    private boolean wasStandby;
    private long takingSinceNanos;

    /** The role of a node. */
    public enum Role {
        /** The node joins the cluster, or waits for the end of an earlier run of itself. */
        JOINING,
        /** Another node serves; this one waits until it leaves or is dead. */
        STANDBY,
        /** The node takes the buckets and reads the stores. */
        TAKING_OVER,
        /** The node serves clients. */
        SERVING,
        /** The node closes its connections and leaves the cluster. */
        LEAVING
    }

    public ClusterRole(LongSupplier nanoTime, MeterRegistry registry) {
        this.nanoTime = nanoTime;
        Gauge.builder("heddle.cluster.serving", () -> role == Role.SERVING ? 1 : 0)
                .description("Whether this node serves clients")
                .register(registry);
        this.takeovers = Counter.builder("heddle.cluster.takeovers")
                .description("Takeovers by this node from one that it waited for")
                .register(registry);
        TimeGauge.builder("heddle.cluster.takeover.last", () -> lastTakeoverNanos, TimeUnit.NANOSECONDS)
                .description("Duration of the last takeover, from the end of the other node until clients were served")
                .register(registry);
    }

    public Role role() {
        return role;
    }

    /** Another node serves. */
    void onStandby() {
        wasStandby = true;
        role = Role.STANDBY;
    }

    /** This node is the owner of the buckets, because no other one is. */
    void onOwner() {
        takingSinceNanos = nanoTime.getAsLong();
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
        if (wasStandby) {
            lastTakeoverNanos = nanoTime.getAsLong() - takingSinceNanos;
            takeovers.increment();
        }
        role = Role.SERVING;
    }

    @Override
    public void stop() {
        role = Role.LEAVING;
    }
}
