package io.heddle.core.session.registrar.settlement;

import io.heddle.core.cluster.Incarnation;
import java.time.Duration;

/** Knows the members whose routing lease has ended because they are silent. Thread-safe. */
public interface RoutingSilence {
    /**
     * Returns whether the routing lease of a member had ended at some instant after another one. From then on it acknowledges no message
     * before it has read the log of the clients to its end.
     *
     * @param member may be unknown; then it is not known to be silent
     * @param sinceNanos an instant of {@link #nanoTime}
     */
    boolean isSuspected(Incarnation member, long sinceNanos);

    /** Returns monotonic time in nanoseconds; only differences are meaningful, also between threads. */
    long nanoTime();

    /** Returns how long a member that is not silent may report nothing before it is treated as cut off. Longer than a silence. */
    Duration patience();
}
