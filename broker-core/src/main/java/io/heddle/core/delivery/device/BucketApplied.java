package io.heddle.core.delivery.device;

import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.List;

/** What came of a batch. */
public sealed interface BucketApplied {
    /** Where the bucket stands now. */
    BucketPosition position();

    /**
     * All of it is applied, now or before.
     *
     * @param results for each recipient of each Enqueue command, in their order
     * @param dropped how many entries gave way to these, because a queue was full
     */
    record Done(BucketPosition position, List<EnqueueResult> results, int dropped) implements BucketApplied {}

    /** Something is missing between what is applied and this batch, or the bucket was lost: nothing is done. */
    record Gap(BucketPosition position) implements BucketApplied {}

    /**
     * What came of one recipient's copy.
     *
     * @param sequence the number that it has in its queue, from 1; of a batch that was applied before the highest that was given; 0 when
     *     its session's generation is over
     * @param ownerEpoch the epoch in which the session is connected, or 0 when it is not
     */
    record EnqueueResult(EnqueueOutcome outcome, long sequence, long ownerEpoch) {}

    /** Whether a copy is in the queue, or why it is not. */
    enum EnqueueOutcome {
        QUEUED,
        /** Its lifetime was over. */
        EXPIRED,
        /** There was no room and nothing gave way. */
        QUEUE_FULL,
        /** The session is over. */
        SESSION_ENDED,
        /** The batch was applied before: it may be queued, or be acknowledged by now. */
        APPLIED_BEFORE
    }
}
