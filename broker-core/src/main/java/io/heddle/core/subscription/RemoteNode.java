package io.heddle.core.subscription;

import io.heddle.core.cluster.Incarnation;
import org.jspecify.annotations.Nullable;

/**
 * Another node of the cluster as a subscriber: it has sessions that end with their connections under a filter, and matches each message
 * again. Thread-safe; one writer changes its state.
 *
 * <p>States: member ⇄ suspected (silent, but not declared dead) → gone, from either. A node that is gone gets nothing, although it is still
 * in the trie until it is swept. A member may be cut off besides: it lives, but nothing is known to reach it.
 */
public final class RemoteNode implements Subscriber {
    /** The class of a node's interest in a filter. */
    public enum Interest {
        /** All its subscribers were granted QoS 0. */
        AT_MOST_ONCE,
        /** A subscriber was granted QoS 1 or 2. */
        ACKNOWLEDGED
    }

    private enum State {
        MEMBER,
        SUSPECTED,
        GONE
    }

    private final Incarnation incarnation;
    private volatile State state = State.MEMBER;
    private volatile boolean isCutOff;

    /** Creates a member that is not suspected. */
    public RemoteNode(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    public Incarnation incarnation() {
        return incarnation;
    }

    /** Returns whether publishers wait for the node: it is a member, not suspected, and not cut off. */
    public boolean isReachable() {
        return state == State.MEMBER && !isCutOff;
    }

    /** Returns whether the node answers nothing over its link, although it may live. */
    public boolean isCutOff() {
        return isCutOff;
    }

    /** Sets whether the node answers nothing over its link. */
    public void cutOff(boolean isCut) {
        isCutOff = isCut;
    }

    /** Returns whether the node is suspected or gone. */
    public boolean isSilent() {
        return state != State.MEMBER;
    }

    /** Returns whether the incarnation has ended. */
    public boolean isGone() {
        return state == State.GONE;
    }

    /** Sets whether a member is suspected. No effect on a node that is gone. */
    public void suspected(boolean isSuspected) {
        if (state != State.GONE) {
            state = isSuspected ? State.SUSPECTED : State.MEMBER;
        }
    }

    /** The incarnation has ended. */
    public void end() {
        state = State.GONE;
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
