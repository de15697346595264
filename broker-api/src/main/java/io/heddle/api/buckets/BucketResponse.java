package io.heddle.api.buckets;

import io.heddle.core.operator.bucket.BucketState;
import org.jspecify.annotations.Nullable;

/**
 * A bucket.
 *
 * @param owner the id of the node that should hold it; null if no node may
 * @param holder the id of the node that holds it; null if none does
 * @param endOffset the end of its log, open commits included
 * @param logBytes the size of its log on the disk of one Kafka broker
 * @param appliedOffset of the last command that is in the queues, -1 for none; null if the holder has not answered, like the fields below
 * @param lagSeconds the age of the oldest command of the holder that is not applied
 * @param lagBytes the bytes of the commands of the holder that are not applied
 * @param blocked why the log is not applied although Redis answers; null if it is applied
 */
record BucketResponse(
        int bucket,
        @Nullable String owner,
        @Nullable String holder,
        long endOffset,
        long logBytes,
        @Nullable Long appliedOffset,
        @Nullable Double lagSeconds,
        @Nullable Long lagBytes,
        @Nullable String blocked) {
    private static final double MILLIS_PER_SECOND = 1_000;

    static BucketResponse of(BucketState state) {
        BucketState.Progress progress = state.progress();
        return new BucketResponse(
                state.bucket(),
                state.owner(),
                state.holder(),
                state.endOffset(),
                state.logBytes(),
                progress == null ? null : progress.appliedOffset(),
                progress == null ? null : progress.lagMillis() / MILLIS_PER_SECOND,
                progress == null ? null : progress.lagBytes(),
                progress == null ? null : progress.blocked());
    }
}
