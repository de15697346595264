package io.heddle.core.link;

import io.heddle.core.Port;
import io.heddle.core.cluster.Incarnation;

/**
 * The links of this node with the other members of the cluster. Thread-safe.
 *
 * <p>A link has one lane for control frames and some for data. Every frame that a lane accepts arrives once and in the order of the lane,
 * even if connections break, unless one of the two incarnations ends first. The lanes are independent of each other: data never delays
 * control frames. Bound: the unacknowledged bytes to each member, for control frames and for data; above it, frames are not accepted.
 */
@Port
public interface NodeLinks {
    /** The lane for control frames: requests, answers, receipts. */
    int CONTROL = 0;

    /** The highest kind of a frame. */
    int LAST_KIND = 255;

    /** Returns the number of data lanes to each member, at least 1. The data lanes are 1 to this number. */
    int dataLanes();

    /**
     * Returns the data lane for the messages of an event loop. One lane for each loop keeps the order of a publisher's messages.
     *
     * @param loop the index of the event loop
     */
    default int dataLane(int loop) {
        return 1 + loop % dataLanes();
    }

    /** Returns the size of the largest payload. */
    int maximumPayloadBytes();

    /**
     * Sends a frame. Frames that one thread sends on one lane stay in order.
     *
     * @param kind 0 to {@link #LAST_KIND}
     * @param payload not changed afterwards
     * @return false if the lane is full, or the incarnation is not a member as far as this node knows; then nothing is sent
     * @throws IllegalArgumentException for a payload above the maximum, or a kind or a lane that does not exist
     */
    boolean send(Incarnation to, int lane, int kind, byte[] payload);

    /** Returns whether a payload of this size would be accepted now. While nothing is unacknowledged, every size is accepted. */
    boolean hasRoomFor(Incarnation to, int lane, int bytes);

    /** Returns whether all lanes from this node to a member are connected. Frames are accepted either way. */
    boolean isUp(Incarnation member);

    /**
     * Returns for how long a member has handled nothing that this node sent over one of the lanes, not even a probe, in nanoseconds; 0 for
     * a member without a link. The link counts from its beginning.
     */
    long silentNanos(Incarnation member);

    /**
     * Sets the receiver of the frames of a range of kinds. A frame of a kind without receiver is lost and counted, so receivers are set
     * before the node joins the cluster.
     *
     * @throws IllegalArgumentException for a kind that has a receiver
     */
    void receive(int firstKind, int lastKind, FrameReceiver receiver);

    /** Adds a listener. Before the node joins the cluster. */
    void watch(LinkListener listener);
}
