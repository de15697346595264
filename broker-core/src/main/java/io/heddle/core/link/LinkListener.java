package io.heddle.core.link;

import io.heddle.core.cluster.Incarnation;

/**
 * Listens for the state of the links to other members. The calls for one member come one after another, on an event loop of this node, and
 * must not block. A link that is down sends its frames when it is up again; most users therefore need {@link #onEnded} only.
 */
public interface LinkListener {
    /** All lanes from this node to a member are connected. */
    default void onUp(Incarnation member) {}

    /** A lane to a member has lost its connection. Follows {@link #onUp}. */
    default void onDown(Incarnation member) {}

    /**
     * A member says that this node has left or was declared dead, as far as that member has read the log of nodes. Repeated by each lane and
     * each attempt to connect.
     */
    default void onSelfEnded(Incarnation member) {}

    /**
     * An incarnation has left or was declared dead. Unacknowledged frames to it are dropped, and no further frame of it is received. The
     * last call for this incarnation.
     */
    default void onEnded(Incarnation incarnation) {}
}
