package io.heddle.core.delivery.bucket;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The persistent sessions of DEVICE clients, as the writer of the queues sees them. Thread-safe; never blocks. */
public interface QueueSessions {
    /** The connection that reads a session's queue, or null when the session is connected to no living node. On the applying thread. */
    @Nullable
    PushTarget target(ClientId clientId, long generation);

    /** Returns whether the session has ended, so that its queue will never be read. */
    boolean hasEnded(ClientId clientId, long generation);

    /** The queue of a session has dropped a message. On the applying thread. */
    void onDropped(ClientId clientId, long generation, QueueDrop.Reason reason, long nowMillis);

    /** Removes the queue of an ended session. Idempotent. */
    void removeQueue(int bucket, ClientId clientId, long generation);

    /**
     * Registers the connected sessions of some buckets again in their queues, which may have rolled back, and makes the feeds of this node
     * resend all acknowledgements. {@link #onPositioned} makes those of the other nodes do so.
     *
     * @return for each bucket a stage that completes when its sessions are registered, and fails with {@link
     *     io.heddle.core.StoreUnavailableException}
     */
    Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> buckets);

    /**
     * Ends the feeds of sessions whose sequence numbers are reset: the queues of the bucket were lost and the log lacks their first messages.
     * They would mistake new messages for those that they have acknowledged.
     *
     * @param viewId the present one: feeds of connections that were registered in this view go on
     * @param completeFrom the log has all messages of sessions from this generation on
     * @return completes when the feeds of this node have ended, and those of other nodes end before they get any later push
     */
    CompletionStage<Void> endFeeds(int bucket, long viewId, long completeFrom);

    /**
     * The position of the queues of a bucket is known, at the beginning of a holding or after they may have rolled back. The pushes of an
     * earlier holder may be lost, and so may acknowledgements that were sent before.
     *
     * @param isFirst whether this is the first position of the holding
     */
    void onPositioned(int bucket, long viewId, boolean isFirst);

    /** Sends the pushes that were gathered for connections to other nodes. On the applying thread, before each read. */
    void sendPushes();

    /** Returns whether pushes to other nodes still wait for room, so that {@link #sendPushes} must be called soon. On the applying thread. */
    boolean hasUnsentPushes();

    /** Registers a session that is connected to this node again in its queue. Idempotent. */
    void reRegister(int bucket, ClientId clientId, long generation);

    /** A connection to this node that reads the queue of its session. */
    non-sealed interface Reader extends PushTarget {
        /** The owner. Any thread. */
        EventLoop eventLoop();

        /** Resends all acknowledgements, because the queue may have rolled back. On the event loop. */
        void onQueueRolledBack();

        /**
         * Ends the feed, because the queue was lost and assigns its sequence numbers again. On the event loop.
         *
         * @param viewId the present one; a feed of a connection that was registered in this view goes on
         */
        void onSequencesReset(long viewId);

        /**
         * Compares the tail that the queue has with the one that the feed knows: a push may have been lost with the node that sent it. On
         * the event loop.
         *
         * @return whether the feed was behind and reads on
         */
        boolean onTail(long tail);

        /**
         * Takes a pushed message, as a hint. On the event loop.
         *
         * @param sequence of exactly this message in the queue
         */
        void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient);

        /**
         * Hints that the queue has assigned sequence numbers without pushing their messages. On the event loop.
         *
         * @param sequence the highest one assigned
         */
        void filledUpTo(long sequence);
    }
}
