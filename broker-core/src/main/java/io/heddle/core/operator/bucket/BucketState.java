package io.heddle.core.operator.bucket;

import org.jspecify.annotations.Nullable;

/**
 * @param owner the id of the node that should hold it; null if no node may
 * @param holder the id of the node that holds it; null if none does
 * @param endOffset the end of its log, open commits included
 * @param logBytes the size of its log on the disk of one Kafka broker
 * @param progress null if the holder has not answered
 */
public record BucketState(
        int bucket,
        @Nullable String owner,
        @Nullable String holder,
        long endOffset,
        long logBytes,
        @Nullable Progress progress) {
    /**
     * Returns whether commands of the log are not applied, or may be so, because no node holds the bucket or its holder has not answered.
     */
    public boolean isLagging() {
        return holder == null || progress == null || progress.lagBytes() > 0 || progress.blocked() != null;
    }

    /**
     * How far the holder has applied the log to the queues.
     *
     * @param appliedOffset of the last applied command, or -1
     * @param lagMillis the age of the oldest command of a node that has answered that is not applied
     * @param lagBytes the bytes of the commands of the nodes that have answered that are not applied
     * @param blocked why the log is not applied although Redis answers; null if it is applied
     */
    public record Progress(
            long appliedOffset,
            long lagMillis,
            long lagBytes,
            @Nullable String blocked) {
        /** Adds what a node that does not hold the bucket knows of its own commands, or what the holder knows. */
        Progress and(Progress other) {
            return new Progress(
                    Math.max(appliedOffset, other.appliedOffset),
                    Math.max(lagMillis, other.lagMillis),
                    lagBytes + other.lagBytes,
                    blocked == null ? other.blocked : blocked);
        }
    }
}
