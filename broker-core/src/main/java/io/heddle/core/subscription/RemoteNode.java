package io.heddle.core.subscription;

import io.heddle.core.cluster.Incarnation;
import org.jspecify.annotations.Nullable;

/**
 * Another node of the cluster as a subscriber: it has sessions that end with their connections under a filter, and matches each message
 * again. Thread-safe; one writer changes its state.
 *
 * <p>States: member → gone. A node that is gone gets nothing, although it is still in the trie until it is swept.
 */
public final class RemoteNode implements Subscriber {
    /** The class of a node's interest in a filter. */
    public enum Interest {
        /** All its subscribers were granted QoS 0. */
        AT_MOST_ONCE,
        /** A subscriber was granted QoS 1 or 2. */
        ACKNOWLEDGED
    }

    private final Incarnation incarnation;
    private volatile boolean isGone;

    /** Creates a member. */
    public RemoteNode(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    public Incarnation incarnation() {
        return incarnation;
    }

    /** Returns whether the incarnation has ended. */
    public boolean isGone() {
        return isGone;
    }

    public void end() {
        isGone = true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RemoteNode that && incarnation.equals(that.incarnation);
    }

    @Override
    public int hashCode() {
        return incarnation.hashCode();
    }

    @Override
    public String toString() {
        return incarnation.toString();
    }
}
