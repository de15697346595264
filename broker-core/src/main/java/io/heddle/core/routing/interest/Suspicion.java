package io.heddle.core.routing.interest;

import io.heddle.core.cluster.Incarnation;
import java.time.Duration;

/** Knows the members that acknowledge no messages, because they were silent for longer than their routing lease. Thread-safe. */
public interface Suspicion {
    /** Returns whether a member has been silent for longer than its routing lease and a margin. False for one that is unknown. */
    boolean isSilent(Incarnation member);

    /**
     * Returns whether the routing lease of a member had ended at some instant after another one. Before it acknowledges the next message, it
     * asks this node for all interest.
     *
     * @param member may be unknown; then it is not known to be silent
     * @param sinceNanos an instant of {@link #nanoTime}
     */
    boolean isSuspected(Incarnation member, long sinceNanos);

    /** Returns monotonic time in nanoseconds; only differences are meaningful, also between threads. */
    long nanoTime();

    /** Returns how long a member that is not silent may answer nothing before it is treated as cut off. Longer than a silence. */
    Duration patience();
}
