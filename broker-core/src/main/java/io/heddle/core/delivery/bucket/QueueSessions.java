package io.heddle.core.delivery.bucket;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What this node knows of the sessions whose queues are filled. Thread-safe; never blocks. */
public interface QueueSessions {
    /** Who reads a session's queue on this node at this moment, or null. */
    @Nullable
    Reader reader(ClientId clientId, long generation);

    /** Whether the session is over, so that nobody will ever read what is queued for it. */
    boolean isOver(ClientId clientId, long generation);

    /** A queue was filled for a session that is over: has it removed. May be asked more than once. */
    void forgetQueue(int bucket, ClientId clientId, long generation);

    /**
     * The queues of some buckets may have forgotten something: makes the connected sessions of this node known there again, and has
     * told again what their clients have acknowledged.
     *
     * @return for each bucket a stage that completes when its queues know the sessions, and fails with {@link
     *     io.heddle.core.StoreUnavailableException}
     */
    Map<Integer, CompletionStage<Void>> bucketsRolledBack(Set<Integer> buckets);

    /**
     * The queues of a bucket have lost everything, and its log does not have all messages of older sessions: the numbers of these begin
     * anew. Ends their feeds, so that no acknowledgement of an earlier number removes a message that has the same number now.
     *
     * @param completeFrom the log has all messages of sessions from this generation on
     * @return completes when none of these feeds acknowledges anything more
     */
    CompletionStage<Void> numbersBeganAnew(int bucket, long completeFrom);

    /** A queue does not know that a session is connected to this node: tells it. May be asked more than once. */
    void makeKnown(int bucket, ClientId clientId, long generation);

    /** A connected session that reads its queue. */
    interface Reader {
        /** The owner thread; any thread may ask. */
        EventLoop eventLoop();

        /** The epoch of the connection; any thread may ask. */
        long epoch();

        /** The queue was told, or is being told, that all below this number is acknowledged; any thread may ask. */
        long reportedBelow();

        /**
         * The highest number of its queue that it may have without reading: pushed, or given before it came. Only for the thread that
         * applies the logs.
         */
        long pushedUpTo();

        /** A message with this number is about to be pushed. Only for the thread that applies the logs. */
        void pushing(long sequence);

        /** The queue may have forgotten what was acknowledged. Owner thread only. */
        void queueRolledBack();

        /** The queue has lost everything, and gives its numbers to other messages: ends the feed. Owner thread only. */
        void numbersBeganAnew();

        /**
         * The queue got a message: a hint. Owner thread only.
         *
         * @param sequence the number that exactly this message has in the queue
         */
        void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient);

        /**
         * The queue was given numbers up to this one, and what came of them was not told: a hint to read it. Owner thread only.
         *
         * @param sequence the highest number that was given
         */
        void filledUpTo(long sequence);
    }
}
