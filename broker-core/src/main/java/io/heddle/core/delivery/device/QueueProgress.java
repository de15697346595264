package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.log.AckRanges;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.SequenceRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgements of one connected client, and the part of them that was not reported to its queue. Belongs to the event loop of the
 * connection. Bound: the feed supplies no further message while {@link #isFull}.
 */
@HotPath
final class QueueProgress {
    private static final int MAXIMUM_RANGES = 1_024;
    private static final int MAXIMUM_LOGGED_RANGES = 32;

    private final QueueOwner owner;
    private final AckRanges acknowledged;
    // The unreported ranges above the lowest unacknowledged sequence number; null when there are none.
    private @Nullable AckRanges unreported;
    private boolean abandoned;
    // Read by the applying thread.
    private volatile long reportedBelow;

    /** @param head the lowest sequence number in the queue */
    QueueProgress(QueueOwner owner, long head) {
        this.owner = owner;
        this.acknowledged = new AckRanges(head, List.of());
        this.reportedBelow = head;
    }

    /** The lowest sequence number that is not acknowledged. */
    long lowest() {
        return acknowledged.lowest();
    }

    boolean contains(long sequence) {
        return acknowledged.contains(sequence);
    }

    /** Returns whether too many gaps separate the acknowledged ranges. */
    boolean isFull() {
        return acknowledged.rangeCount() >= MAXIMUM_RANGES;
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

    /** Counts a range without messages, of which {@code end} is exclusive, as acknowledged. */
    void addGap(long first, long end) {
        acknowledged.add(first, end);
    }

    /** Acknowledges everything below a sequence number. Returns whether that changes anything. */
    boolean acknowledgedBelow(long lowest) {
        if (lowest <= acknowledged.lowest()) {
            return false;
        }
        acknowledged.add(acknowledged.lowest(), lowest);
        return true;
    }

    /** Everything below this was reported, or is being reported, to the queue. Any thread. */
    long reportedBelow() {
        return reportedBelow;
    }

    /** Stops the applying thread from waiting for this client, which will acknowledge nothing more. */
    void close() {
        reportedBelow = Long.MAX_VALUE;
    }

    /** Closes this and drops its unsent acknowledgements, because the queue assigns the sequence numbers to other messages. */
    void abandon() {
        abandoned = true;
        close();
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Marks everything as unreported, after a failed call or a rollback of the queue. */
    void markUnreported() {
        unreported =
                acknowledged.rangeCount() == 0 ? null : new AckRanges(acknowledged.lowest(), acknowledged.ranges());
    }

    /** Returns the acknowledgement for the bucket log: everything but the ranges above the first {@value #MAXIMUM_LOGGED_RANGES}. */
    ClientAcknowledgement logged() {
        List<SequenceRange> ranges = acknowledged.rangeCount() == 0 ? List.of() : acknowledged.ranges();
        return new ClientAcknowledgement(
                owner.clientId(),
                owner.generation(),
                acknowledged.lowest() - 1,
                ranges.size() > MAXIMUM_LOGGED_RANGES ? ranges.subList(0, MAXIMUM_LOGGED_RANGES) : ranges);
    }

    /** Returns the unreported acknowledgements for the queue and marks them as reported. */
    Acknowledgement takeReport() {
        Acknowledgement report = new Acknowledgement(
                owner.clientId(),
                owner.generation(),
                owner.viewId(),
                acknowledged.lowest() - 1,
                unreported == null ? List.of() : unreported.ranges());
        unreported = null;
        reportedBelow = acknowledged.lowest();
        return report;
    }
}
