package io.heddle.core.delivery.bucket;

/**
 * What the holder of a bucket tells the other nodes, so that they can slow down their publishers to it.
 *
 * @param offset up to and including which the log is applied to the queues
 * @param writesPerSecond how fast batches were applied; 0 if unknown
 * @param isStalled whether the queues do not answer
 * @param isStopped whether the bucket is not applied in this holding
 */
public record AppliedReport(long offset, long writesPerSecond, boolean isStalled, boolean isStopped) {}
