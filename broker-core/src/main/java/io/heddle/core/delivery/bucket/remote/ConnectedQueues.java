package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.QueueSessions;
import org.jspecify.annotations.Nullable;

/** The connections to this node that read queues, as the holders of the buckets see them. Thread-safe, never blocks. */
public interface ConnectedQueues {
    /** Returns the connection that reads the queue of a session, or null when it is not connected to this node. */
    QueueSessions.@Nullable Reader reader(ClientId clientId, long generation);

    /** Ends the feeds of a bucket whose queues were lost, see {@link QueueSessions#endFeeds}. */
    void endFeeds(int bucket, long viewId, long completeFrom);

    /**
     * The holder of a bucket knows the position of its queues: the feeds repeat their acknowledgements, and compare the tails of their
     * queues.
     *
     * @param isFirst whether a new holder has begun; then feeds of another view than this end
     */
    void onPositioned(int bucket, long viewId, boolean isFirst);
}
