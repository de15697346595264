package io.heddle.core.link;

import io.heddle.core.cluster.Incarnation;

/** Receives frames of other members, on an event loop of this node. Must not block. */
@FunctionalInterface
public interface FrameReceiver {
    /**
     * Handles a frame. The frames of a lane come one after another; those of different lanes may come at the same time. The event loop of a
     * lane changes when the lane connects again. An exception is counted and logged, and the frame counts as handled.
     *
     * @param lane {@link NodeLinks#CONTROL} or a data lane
     * @param payload owned by the receiver
     */
    void onFrame(Incarnation from, int lane, int kind, byte[] payload);
}
