package io.heddle.core.routing.interest;

import io.heddle.core.cluster.Incarnation;

/**
 * Tells which members are suspected: silent for longer than the routing lease and a margin, but not declared dead. Such a member
 * acknowledges no publish, so that nothing needs to wait for it. Thread-safe.
 */
@FunctionalInterface
public interface Suspicion {
    /** Returns whether an incarnation is suspected. It may be unknown, because it has just joined or has ended. */
    boolean isSuspected(Incarnation incarnation);
}
