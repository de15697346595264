package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;

/**
 * Estimates the time that the queues of one bucket need for a number of writes, from recent batches. Guarded by the lock of its bucket.
 *
 * <p>Batches of fewer than {@value #SMALLEST_BATCH} writes are ignored, because the round trip takes most of their time. When more than
 * {@value #REMEMBERED_WRITES} writes are remembered, the weight of the earlier batches is halved.
 */
@HotPath
final class ApplyRate {
    static final int SMALLEST_BATCH = 50;
    static final int REMEMBERED_WRITES = 2_000;

    private static final double MILLIS_PER_SECOND = 1_000;

    private double writes;
    private double millis;

    void record(int count, long tookMillis) {
        if (count < SMALLEST_BATCH) {
            return;
        }
        if (writes > REMEMBERED_WRITES) {
            writes /= 2;
            millis /= 2;
        }
        writes += count;
        millis += tookMillis;
    }

    /** Returns the estimate in writes per second; 0 until a batch was large enough. */
    long writesPerSecond() {
        return millis == 0 ? 0 : Math.max(1, (long) (writes * MILLIS_PER_SECOND / millis));
    }

    /** Replaces the estimate by one that {@link #writesPerSecond} has returned on another node. */
    void replace(long writesPerSecond) {
        writes = writesPerSecond;
        millis = writesPerSecond == 0 ? 0 : MILLIS_PER_SECOND;
    }

    /** Returns the estimated time for some writes; 0 until a batch was large enough. */
    long millisFor(long count) {
        return writes == 0 ? 0 : (long) (count * millis / writes);
    }
}
