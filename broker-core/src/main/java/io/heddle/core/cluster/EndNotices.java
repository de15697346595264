package io.heddle.core.cluster;

import io.heddle.core.Port;
import java.util.Set;

/**
 * Notices outside Kafka, one for each incarnation that has ended and is fenced. A node that Kafka does not answer looks for its own. Thread-safe.
 * Both methods block, and throw {@link io.heddle.core.StoreUnavailableException} when the store does not answer; then the outcome is unknown.
 */
@Port
public interface EndNotices {
    /** The number of notices that are kept, those of the latest additions. */
    int CAPACITY = 1_000;

    /**
     * Notes that incarnations have ended. Those that are noted already keep their place. Removes the oldest notices above the capacity.
     *
     * @param ended at most {@link #CAPACITY}
     */
    void add(Set<Incarnation> ended);

    /** Returns whether there is a notice of this incarnation. */
    boolean contains(Incarnation incarnation);
}
