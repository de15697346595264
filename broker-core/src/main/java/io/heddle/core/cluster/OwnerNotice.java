package io.heddle.core.cluster;

import io.heddle.core.Port;
import org.jspecify.annotations.Nullable;

/**
 * A notice outside Kafka that names the node that took the buckets last. A node that Kafka does not answer reads it. Thread-safe. Both methods
 * block, and throw {@link io.heddle.core.StoreUnavailableException} when the store does not answer; then the outcome is unknown.
 */
@Port
public interface OwnerNotice {
    /** Returns the incarnation that the notice names, or null if it names none. */
    @Nullable
    Incarnation read();

    /**
     * Names another owner, unless the notice has changed since it was read.
     *
     * @param before what {@link #read} returned
     * @return whether the notice named {@code before} and now names {@code owner}
     */
    boolean replace(@Nullable Incarnation before, Incarnation owner);
}
