package io.heddle.core.cluster;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The time for which this node may acknowledge what it has done as a member. It ends a duration after the node sent the last heartbeat that it
 * has read back.
 *
 * <p>A node that was frozen may have been declared dead without knowing. Clients have then subscribed at the node that took over, and this
 * node has routed messages without these subscriptions. No node takes over from another one before it is silent for
 * {@code heddle.cluster.lease}, which is longer. So a message that was routed before a moment at which the lease is valid was routed by the
 * only serving node.
 *
 * <p>Thread-safe. States: ended → valid → ended …; a node that is alone on its stores has a lease that is always valid. Bound: one waiting
 * task for each connection.
 *
 * <p>Metric: {@code heddle.cluster.lease.publishers}.
 */
public final class RoutingLease {
    private final LongSupplier nanoTime;
    private final long durationNanos;
    private final boolean isUnlimited;
    // Guarded by this.
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private volatile long renewedNanos;

    /** A lease that has ended. */
    public RoutingLease(Duration duration, LongSupplier nanoTime, MeterRegistry registry) {
        this(false, duration, nanoTime);
        Gauge.builder("heddle.cluster.lease.publishers", this, RoutingLease::waitingTasks)
                .description(
                        "Connections whose PUBACK, PUBREC or PUBREL waits until this node knows that it is still a member")
                .register(registry);
    }

    private RoutingLease(boolean isUnlimited, Duration duration, LongSupplier nanoTime) {
        this.isUnlimited = isUnlimited;
        this.nanoTime = nanoTime;
        this.durationNanos = duration.toNanos();
        this.renewedNanos = nanoTime.getAsLong() - durationNanos;
    }

    /** Returns a lease that is always valid. */
    public static RoutingLease unlimited() {
        return new RoutingLease(true, Duration.ZERO, () -> 0);
    }

    private synchronized int waitingTasks() {
        return waiting.size();
    }

    /** Returns whether what was routed before this call may be acknowledged. */
    public boolean isValid() {
        return isUnlimited || nanoTime.getAsLong() - renewedNanos < durationNanos;
    }

    /** Returns when this node sent the last heartbeat that it has read back, by the clock of the lease. */
    public long renewedNanos() {
        return renewedNanos;
    }

    /** Returns whether the lease ended at least this long ago. */
    public boolean hasEndedFor(Duration time) {
        return !isUnlimited && nanoTime.getAsLong() - renewedNanos - durationNanos >= time.toNanos();
    }

    /** Runs a task once the lease is valid: at once if it is, otherwise on the thread that renews it. A task that waits already is not added. */
    public void whenValid(Runnable task) {
        synchronized (this) {
            if (!isValid()) {
                waiting.add(task);
                return;
            }
        }
        task.run();
    }

    /** Removes a task that waits. Does nothing if it does not. */
    public synchronized void cancel(Runnable task) {
        waiting.remove(task);
    }

    /**
     * Extends the lease. This node has read back a heartbeat, and no record before it declares this node dead.
     *
     * @param sentNanos when the heartbeat was sent
     */
    public void renew(long sentNanos) {
        List<Runnable> due;
        synchronized (this) {
            if (sentNanos - renewedNanos > 0) {
                renewedNanos = sentNanos;
            }
            if (!isValid()) {
                return;
            }
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(Runnable::run);
    }
}
