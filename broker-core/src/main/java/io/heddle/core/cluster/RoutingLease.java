package io.heddle.core.cluster;

import io.heddle.core.FailureLog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time for which this node may acknowledge what it has done as a member. It ends a duration after the node sent the last heartbeat that it
 * has read back.
 *
 * <p>A node that was frozen may have been declared dead without knowing. The others have settled subscriptions without this node while its
 * lease had ended, and it has routed messages without them. The lease therefore has a {@link Recovery}: a heartbeat begins a new term, and
 * the lease is valid when the node has recovered in that term. A message that was routed before a moment at which the lease is valid in the
 * same term was routed with all subscriptions that were acknowledged before.
 *
 * <p>Thread-safe. States: ended → (recovering →) valid → ended …; a node that is alone on its stores has a lease that is always valid. Bound:
 * one waiting task for each connection, and one recovery for each term.
 *
 * <p>Metric: {@code heddle.cluster.lease.publishers}.
 */
public final class RoutingLease {
    private static final Logger log = LoggerFactory.getLogger(RoutingLease.class);
    private static final long NO_TERM = -1;

    private final LongSupplier nanoTime;
    private final long durationNanos;
    private final boolean isUnlimited;
    // Guarded by this.
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private long recoveringTerm = NO_TERM;
    // Written with the lock of this.
    private volatile State state;
    private volatile @Nullable Recovery recovery;

    /** Learns what the other nodes have settled without this one. Must not block. */
    @FunctionalInterface
    public interface Recovery {
        /**
         * Begins to learn everything that was settled before this call.
         *
         * @return completes when this node knows it; if it fails, the next heartbeat begins again
         */
        CompletionStage<Void> begin();
    }

    /**
     * @param renewedNanos when the last heartbeat was sent that was read back
     * @param term the number of the period in which the lease has not ended
     * @param isRecovered whether this node knows what was settled before the term
     */
    private record State(long renewedNanos, long term, boolean isRecovered) {}

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
        this.state = new State(nanoTime.getAsLong() - durationNanos, 0, true);
    }

    /** Returns a lease that is always valid. */
    public static RoutingLease unlimited() {
        return new RoutingLease(true, Duration.ZERO, () -> 0);
    }

    private synchronized int waitingTasks() {
        return waiting.size();
    }

    /** From now on the lease is valid only after a recovery, which the next heartbeat begins. Before this node routes messages. */
    public synchronized void recoverWith(Recovery next) {
        recovery = next;
        state = new State(state.renewedNanos, state.term + 1, false);
    }

    /** Returns whether what was routed before this call may be acknowledged. */
    public boolean isValid() {
        return isUnlimited || isValid(state);
    }

    private boolean isValid(State now) {
        return now.isRecovered && isRenewed(now);
    }

    private boolean isRenewed(State now) {
        return nanoTime.getAsLong() - now.renewedNanos < durationNanos;
    }

    /** Returns the current term, for {@link #covers}. */
    public long term() {
        return state.term;
    }

    /**
     * Returns whether what was routed since {@link #term} returned this term was routed with all subscriptions that any node had acknowledged
     * by then. Always true before {@link #recoverWith}: the node does not route yet.
     */
    public boolean covers(long term) {
        if (isUnlimited || recovery == null) {
            return true;
        }
        State now = state;
        return now.term == term && isValid(now);
    }

    /** Returns when this node sent the last heartbeat that it has read back, by the clock of the lease. */
    public long renewedNanos() {
        return state.renewedNanos;
    }

    /** Returns whether no heartbeat has renewed the lease for this long after its end. */
    public boolean hasEndedFor(Duration time) {
        return !isUnlimited && nanoTime.getAsLong() - state.renewedNanos - durationNanos >= time.toNanos();
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
        List<Runnable> due = List.of();
        Recovery begun = null;
        long term;
        synchronized (this) {
            State before = state;
            long renewed = Math.max(sentNanos - before.renewedNanos, 0) + before.renewedNanos;
            // What another node has settled without this one, it has settled before this heartbeat.
            State after = isRenewed(before)
                    ? new State(renewed, before.term, before.isRecovered)
                    : new State(renewed, before.term + 1, recovery == null);
            state = after;
            term = after.term;
            if (!isRenewed(after)) {
                return;
            }
            if (after.isRecovered) {
                due = takeWaiting();
            } else if (recoveringTerm != term) {
                recoveringTerm = term;
                begun = recovery;
            }
        }
        due.forEach(Runnable::run);
        if (begun != null) {
            var _ = begun.begin().whenComplete((_, failure) -> onRecovered(term, failure));
        }
    }

    /** Ends the lease for ever, because this node is no longer a member. Nothing renews it afterwards. */
    synchronized void end() {
        state = new State(nanoTime.getAsLong() - durationNanos, state.term + 1, false);
    }

    private List<Runnable> takeWaiting() {
        List<Runnable> due = List.copyOf(waiting);
        waiting.clear();
        return due;
    }

    private void onRecovered(long term, @Nullable Throwable failure) {
        List<Runnable> due = List.of();
        synchronized (this) {
            if (recoveringTerm == term) {
                recoveringTerm = NO_TERM;
            }
            State before = state;
            // The lease may have ended during the recovery.
            if (failure == null && before.term == term && isRenewed(before)) {
                state = new State(before.renewedNanos, term, true);
                due = takeWaiting();
            }
        }
        if (failure != null) {
            FailureLog.warn(
                    log,
                    "Could not learn the subscriptions that were made while this node was silent; retrying",
                    failure);
        }
        due.forEach(Runnable::run);
    }
}
