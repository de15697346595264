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
 * has read back. A node that was frozen may have been declared dead without knowing, and others have then settled subscriptions without it. What
 * was routed before a moment at which the lease is valid was routed with all subscriptions that were acknowledged before.
 *
 * <p>Thread-safe. States: ended ⇄ valid → ended for ever; a node that is alone on its stores has a lease that is always valid. Bound: one
 * waiting task for each connection.
 *
 * <p>Metric: {@code heddle.cluster.lease.publishers}.
 */
public final class RoutingLease {
    private final LongSupplier nanoTime;
    private final long durationNanos;
    private final boolean isUnlimited;
    // Guarded by this.
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private boolean isOver;
    // When the last heartbeat was sent that was read back. Written with the lock of this.
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

    /** Returns whether no heartbeat has renewed the lease for this long after its end. */
    public boolean hasEndedFor(Duration time) {
        return !isUnlimited && nanoTime.getAsLong() - renewedNanos - durationNanos >= time.toNanos();
    }

    /** Runs a task once the lease is valid: at once if it is, otherwise on the thread that ends the wait. A task that waits already is not added. */
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
            if (isOver) {
                return;
            }
            renewedNanos += Math.max(sentNanos - renewedNanos, 0);
            if (!isValid()) {
                return;
            }
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(Runnable::run);
    }

    /** Ends the lease for ever, because this node is no longer a member. Nothing renews it afterwards. */
    synchronized void end() {
        isOver = true;
        renewedNanos = nanoTime.getAsLong() - durationNanos;
    }
}
