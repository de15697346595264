package io.heddle.core.delivery.device;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.SequenceRange;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The queues of DEVICE clients: a view of the bucket logs. Thread-safe.
 *
 * <p>Calls of one thread to one bucket are executed in order, unless the store was restarted or moved in between. Calls to {@link #apply}
 * are ordered among themselves only, so that no other call waits behind a batch. A call fails with {@link
 * io.heddle.core.StoreUnavailableException} when the store does not answer; it may or may not have been executed then. Stages complete on a
 * thread of the store, which must not be blocked.
 */
@Port
public interface DeviceQueues {
    /** Returns the position of a bucket. A bucket unknown to the store is created, with nothing applied and a new view id. */
    CompletionStage<BucketPosition> position(int bucket);

    /**
     * Applies the commands of a batch that are not applied yet, one by one. After a failure a prefix of the batch may be applied.
     *
     * <p>A recipient without a stored session gets an empty queue first. A recipient whose stored session has a higher generation is
     * skipped; a stored session with a lower generation is replaced and its queue dropped.
     *
     * @param pushed the messages that were pushed, so that clients may have them without reading the queue; they are never evicted
     * @param nowMillis the time of day; a message that has expired by then takes a sequence number and is not queued
     */
    CompletionStage<BucketApplied> apply(BucketBatch batch, QueueBounds bounds, PushedUpTo pushed, long nowMillis);

    /**
     * Reads a queue for the owner of its session. Entries read, and entries before them, are never evicted.
     *
     * @param epoch of the reader; a reader that does not own the session gets no entries and no tail
     * @param from the lowest sequence number wanted
     * @param maximumMessages the maximum number of entries; 0 only reports that the owner has no message from this sequence number on and
     *     skips pushes until it has read the queue to its tail
     * @param maximumBytes no further entry is read after this many bytes; at least one entry is read
     */
    CompletionStage<QueuePage> page(
            int bucket,
            ClientId clientId,
            long generation,
            long epoch,
            long from,
            int maximumMessages,
            int maximumBytes);

    /**
     * Removes acknowledged messages and their PUBREC markers. Idempotent. Without effect are acknowledgements of another generation, and
     * those of another view id unless the log has all messages of the session, so that its sequence numbers are the same in every view.
     *
     * @param acknowledgements of clients of this bucket
     */
    CompletionStage<Void> acknowledge(int bucket, List<Acknowledgement> acknowledgements);

    /**
     * Returns the tails and heads of some queues of one bucket, in the order of the sessions. Changes nothing.
     *
     * @param sessions of this bucket
     */
    CompletionStage<List<QueueEnds>> tails(int bucket, List<SessionKey> sessions);

    /**
     * Returns the size of a queue and a part of it for an administrator. Changes nothing: other than with {@link #page}, the entries may still
     * be evicted, and the owner of the session need not agree.
     *
     * @param from the lowest sequence number wanted
     * @param maximumMessages the maximum number of entries; 0 for none
     * @param maximumBytes no further entry is read after this many bytes; at least one entry is read
     */
    CompletionStage<QueueView> view(
            int bucket, ClientId clientId, long generation, long from, int maximumMessages, int maximumBytes);

    /**
     * The bounds of every queue.
     *
     * @param maximumMessages at least 1
     * @param maximumBytes of the entries of one queue
     * @param dropOldest whether a full queue evicts its oldest messages; otherwise it rejects new ones
     * @param maximumInFlight the number of the oldest messages that are never evicted while the store does not know which messages were
     *     sent
     */
    record QueueBounds(int maximumMessages, long maximumBytes, boolean dropOldest, int maximumInFlight) {}

    /** The progress of pushes to readers of this node. */
    @FunctionalInterface
    interface PushedUpTo {
        /** No session of this node reads the queue. */
        long NOTHING = -1;

        /** The highest sequence number of a queue that may have been pushed, or {@link #NOTHING}. On the applying thread. */
        long upTo(ClientId clientId, long generation);
    }

    /**
     * The position of a bucket's queues in its log.
     *
     * @param viewId chosen at random when the store creates the bucket; a new view id means that the store lost the bucket
     * @param appliedOffset of the last applied command, or {@link BucketBatch#NOTHING}
     */
    record BucketPosition(long viewId, long appliedOffset) {
        /** Returns whether the bucket has rolled back since an earlier position; false when the earlier position is unknown (null). */
        public boolean isBehind(@Nullable BucketPosition earlier) {
            return earlier != null && (viewId != earlier.viewId || appliedOffset < earlier.appliedOffset);
        }
    }

    record SessionKey(ClientId clientId, long generation) {}

    /**
     * The ends of a session's queue.
     *
     * @param head the lowest sequence number in the queue, or one above the tail when it is empty
     * @param tail the highest sequence number assigned; 0 when none is, or the store does not know the session
     */
    record QueueEnds(long head, long tail) {
        /** The ends of a queue that the store does not know. */
        public static final QueueEnds UNKNOWN = new QueueEnds(1, 0);
    }

    /**
     * The messages that a client has acknowledged.
     *
     * @param viewId of the bucket in which the client's connection was registered: another view may assign its sequence numbers to other
     *     messages
     * @param upTo everything up to this sequence number
     * @param above further ranges in ascending order; messages between them are still in flight
     */
    record Acknowledgement(ClientId clientId, long generation, long viewId, long upTo, List<SequenceRange> above) {
        public Acknowledgement {
            above = List.copyOf(above);
        }

        /** An acknowledgement of everything up to a sequence number. */
        public Acknowledgement(ClientId clientId, long generation, long viewId, long upTo) {
            this(clientId, generation, viewId, upTo, List.of());
        }
    }
}
