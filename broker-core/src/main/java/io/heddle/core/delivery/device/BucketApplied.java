package io.heddle.core.delivery.device;

import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.List;

/** The result of applying a batch. */
public sealed interface BucketApplied {
    /** The position of the bucket after the call. */
    BucketPosition position();

    /**
     * The whole batch is applied, by this call or an earlier one.
     *
     * @param results for each recipient of each Enqueue command, in order
     * @param dropped the number of entries evicted by the batch because a queue was full
     * @param cleared the number of entries removed by commands of administrators
     */
    record Done(BucketPosition position, List<EnqueueResult> results, int dropped, int cleared)
            implements BucketApplied {}

    /** Nothing is applied, because the batch does not follow the position of the bucket: the bucket has rolled back or was lost. */
    record Gap(BucketPosition position) implements BucketApplied {}

    /**
     * The result for one recipient.
     *
     * @param sequence the sequence number of the message in the queue, from 1; for a batch applied before, the highest one assigned; 0 when
     *     the session has ended
     * @param ownerEpoch the epoch of the connection that owns the session, or 0 when the session is not connected
     */
    record EnqueueResult(EnqueueOutcome outcome, long sequence, long ownerEpoch) {}

    enum EnqueueOutcome {
        QUEUED,
        /** Like {@link #QUEUED}, and the full queue has evicted older messages for this one. */
        QUEUED_EVICTING,
        EXPIRED,
        /** The queue was full and evicted nothing for the message. */
        QUEUE_FULL,
        SESSION_ENDED,
        /** An earlier call applied the batch; the message is queued, or acknowledged by now. */
        APPLIED_BEFORE
    }
}
