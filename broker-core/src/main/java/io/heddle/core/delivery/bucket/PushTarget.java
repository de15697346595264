package io.heddle.core.delivery.bucket;

/**
 * The connection that reads the queue of a session, as the writer of the queues sees it: on this node ({@link QueueSessions.Reader}) or on
 * another one.
 */
public sealed interface PushTarget permits QueueSessions.Reader, RemoteTarget {
    /** The epoch of the connection. Any thread. */
    long epoch();

    /** Everything below this sequence number was reported, or is being reported, to the queue as acknowledged. Any thread. */
    long reportedBelow();

    /**
     * The highest sequence number that the session may have without reading its queue: pushed, or assigned before it connected. {@link
     * io.heddle.core.delivery.device.DeviceQueues.PushedUpTo#NOTHING} when that is unknown. On the applying thread.
     */
    long pushedUpTo();

    /** Records that a message with this sequence number is about to be pushed. On the applying thread. */
    void pushing(long sequence);
}
