package io.heddle.core.delivery.device;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.SequenceRange;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The queues of DEVICE clients: a view of the bucket logs, quick to read and to shorten. Thread-safe. What is asked of
 * one bucket by one thread is done in the order in which it was asked, unless the store was restarted or moved in
 * between; what is applied has an order of its own, so that nothing waits behind it. Every answer fails with {@link
 * io.heddle.core.StoreUnavailableException} when the store does not answer, and then may or may not have been carried
 * out. Answers come on a thread of the store, which must not be held up.
 */
@Port
public interface DeviceQueues {
    /** Where a bucket stands. One that is not known is begun: nothing applied, with an incarnation of its own. */
    CompletionStage<BucketPosition> position(int bucket);

    /**
     * Applies a batch, or what of it is not applied yet, command by command; after a failure its first commands may be applied and the
     * others not. A recipient whose session is not known here gets an empty queue
     * first; one whose session has a higher generation is passed over, one with a lower generation loses what it had.
     *
     * @param pushed what clients may have from memory: that never gives way
     * @param nowMillis the time of day: what has expired by then takes a number and is not queued
     */
    CompletionStage<BucketApplied> apply(BucketBatch batch, QueueBounds bounds, PushedUpTo pushed, long nowMillis);

    /**
     * Reads a queue on behalf of its session's owner. What is read never gives way, nor does what was before.
     *
     * @param epoch of the owner: one that is not the owner any more reads nothing, and is told no tail
     * @param from the lowest number wanted
     * @param maximumMessages how many entries at most; with 0 the owner only says that it has nothing from this number on, and takes
     *     nothing that is pushed before it has read all
     * @param maximumBytes after this many bytes no further entry is read; at least one is
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
     * Removes what clients have acknowledged, with the marks. May be repeated; those of another generation do nothing.
     *
     * @param acknowledgements of clients of this bucket
     */
    CompletionStage<Void> acknowledge(int bucket, List<Acknowledgement> acknowledgements);

    /**
     * The bounds of every queue.
     *
     * @param maximumMessages at least 1
     * @param maximumBytes of the entries of one queue
     * @param dropOldest whether the oldest gives way; otherwise the newest does
     * @param maximumInFlight when nobody knows how far a queue was sent, so many of the oldest may have been and never give way
     */
    record QueueBounds(int maximumMessages, long maximumBytes, boolean dropOldest, int maximumInFlight) {}

    /** What those who fill the queues have pushed to readers of this node. */
    @FunctionalInterface
    interface PushedUpTo {
        /** When nobody here reads it. */
        long NOTHING = -1;

        /** The highest number that may have been pushed of a queue, or {@link #NOTHING}. On the thread that applies. */
        long upTo(ClientId clientId, long generation);
    }

    /**
     * Where a bucket stands.
     *
     * @param incarnation chosen at random when the bucket began here: another one means that everything was lost in between
     * @param appliedOffset of the last applied command, or {@link BucketBatch#NOTHING}
     */
    record BucketPosition(long incarnation, long appliedOffset) {
        /** Whether the bucket has forgotten something, or everything, since it stood there; null: nobody knows where it stood. */
        public boolean isBehind(@Nullable BucketPosition earlier) {
            return earlier != null && (incarnation != earlier.incarnation || appliedOffset < earlier.appliedOffset);
        }
    }

    /**
     * What a client has acknowledged.
     *
     * @param upTo everything up to this number
     * @param above and these, by rising number: what lies between is still under way
     */
    record Acknowledgement(ClientId clientId, long generation, long upTo, List<SequenceRange> above) {
        public Acknowledgement {
            above = List.copyOf(above);
        }

        /** Nothing but all up to a number. */
        public Acknowledgement(ClientId clientId, long generation, long upTo) {
            this(clientId, generation, upTo, List.of());
        }
    }
}
