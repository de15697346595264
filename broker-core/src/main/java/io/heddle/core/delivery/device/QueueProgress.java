package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.log.AckRanges;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.SequenceRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one connected client has acknowledged of its queue, and what of it the queue was not told. Belongs to the event loop of the
 * connection. Bound: the feed gives the client nothing more while it {@link #isFull}.
 */
@HotPath
final class QueueProgress {
    private static final int MAXIMUM_RUNS = 1_024;
    private static final int MAXIMUM_LOGGED_RUNS = 32;

    private final QueueOwner owner;
    private final AckRanges acknowledged;
    // What of the runs above the lowest the queue was not told; null while there is nothing.
    private @Nullable AckRanges unreported;
    private boolean abandoned;
    // For those who fill the queue.
    private volatile long reportedBelow;

    /**
     * Nothing is acknowledged.
     *
     * @param head the lowest number in the queue
     */
    QueueProgress(QueueOwner owner, long head) {
        this.owner = owner;
        this.acknowledged = new AckRanges(head, List.of());
        this.reportedBelow = head;
    }

    /** The lowest number that may not be acknowledged. */
    long lowest() {
        return acknowledged.lowest();
    }

    boolean contains(long sequence) {
        return acknowledged.contains(sequence);
    }

    /** Whether too many acknowledgements are missing below others. */
    boolean isFull() {
        return acknowledged.runCount() >= MAXIMUM_RUNS;
    }

    void acknowledged(long sequence) {
        acknowledged.add(sequence);
        if (sequence >= acknowledged.lowest()) {
            if (unreported == null) {
                unreported = new AckRanges(acknowledged.lowest(), List.of());
            }
            unreported.add(sequence);
        }
    }

    /** Nothing of the queue stands from one number to before another. */
    void missing(long first, long end) {
        acknowledged.add(first, end);
    }

    /** Everything below a number is acknowledged. False when that was known. */
    boolean acknowledgedBelow(long lowest) {
        if (lowest <= acknowledged.lowest()) {
            return false;
        }
        acknowledged.add(acknowledged.lowest(), lowest);
        return true;
    }

    /** The queue was told, or is being told, that all below this is acknowledged. Any thread may ask. */
    long reportedBelow() {
        return reportedBelow;
    }

    /** Its client acknowledges nothing more: nobody has to wait for that. */
    void ends() {
        reportedBelow = Long.MAX_VALUE;
    }

    /** The numbers are given to other messages now: none of them is acknowledged any more. */
    void abandon() {
        abandoned = true;
        ends();
    }

    /** Whether there is nothing to tell any more. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** The queue knows nothing of what it was told. */
    void notTold() {
        unreported = acknowledged.runCount() == 0 ? null : new AckRanges(acknowledged.lowest(), acknowledged.runs());
    }

    /** What the log is told: everything that is acknowledged, but for runs above the first ones. */
    ClientAcknowledgement logged() {
        List<SequenceRange> runs = acknowledged.runCount() == 0 ? List.of() : acknowledged.runs();
        return new ClientAcknowledgement(
                owner.clientId(),
                owner.generation(),
                acknowledged.lowest() - 1,
                runs.size() > MAXIMUM_LOGGED_RUNS ? runs.subList(0, MAXIMUM_LOGGED_RUNS) : runs);
    }

    /** What the queue has to be told now; from then on it counts as told. */
    Acknowledgement tell() {
        Acknowledgement told = new Acknowledgement(
                owner.clientId(),
                owner.generation(),
                acknowledged.lowest() - 1,
                unreported == null ? List.of() : unreported.runs());
        unreported = null;
        reportedBelow = acknowledged.lowest();
        return told;
    }
}
