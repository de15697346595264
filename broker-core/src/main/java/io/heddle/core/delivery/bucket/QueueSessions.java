package io.heddle.core.delivery.bucket;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The persistent sessions of DEVICE clients, as the writer of the queues sees them. Thread-safe; never blocks. */
public interface QueueSessions {
    /** The reader of a session's queue on this node, or null when the session is not connected here. */
    @Nullable
    Reader reader(ClientId clientId, long generation);

    /** Returns whether the session has ended, so that its queue will never be read. */
    boolean hasEnded(ClientId clientId, long generation);

    /** Removes the queue of an ended session. Idempotent. */
    void removeQueue(int bucket, ClientId clientId, long generation);

    /**
     * Registers the connected sessions of this node again in the queues of some buckets, which may have rolled back, and makes their feeds
     * resend all acknowledgements.
     *
     * @return for each bucket a stage that completes when its sessions are registered, and fails with {@link
     *     io.heddle.core.StoreUnavailableException}
     */
    Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> buckets);

    /**
     * Ends the feeds of sessions whose sequence numbers are reset: the queues of the bucket were lost and the log lacks their first messages.
     * Otherwise an acknowledgement of an old sequence number would remove a new message.
     *
     * @param completeFrom the log has all messages of sessions from this generation on
     * @return completes when these feeds send no more acknowledgements
     */
    CompletionStage<Void> endFeeds(int bucket, long completeFrom);

    /** Registers a session that is connected to this node again in its queue. Idempotent. */
    void reRegister(int bucket, ClientId clientId, long generation);

    /** A connected session that reads its queue. */
    interface Reader {
        /** The owner. Any thread. */
        EventLoop eventLoop();

        /** The epoch of the connection. Any thread. */
        long epoch();

        /** Everything below this sequence number was reported, or is being reported, to the queue as acknowledged. Any thread. */
        long reportedBelow();

        /**
         * The highest sequence number that the session may have without reading its queue: pushed, or assigned before it connected. On the
         * applying thread.
         */
        long pushedUpTo();

        /** Records that a message with this sequence number is about to be pushed. On the applying thread. */
        void pushing(long sequence);

        /** Resends all acknowledgements, because the queue may have rolled back. On the event loop. */
        void onQueueRolledBack();

        /** Ends the feed, because the queue was lost and assigns its sequence numbers again. On the event loop. */
        void onSequencesReset();

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
