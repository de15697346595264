package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;

/**
 * Predicts how long the queues of one bucket need for a number of writes, from the latest batches. Guarded by the lock of its bucket.
 *
 * <p>Batches of fewer than {@value #SMALLEST_BATCH} writes are ignored: a round trip takes most of their time. Half of the memory is
 * the last {@value #REMEMBERED_WRITES} writes.
 */
@HotPath
final class ApplyRate {
    static final int SMALLEST_BATCH = 50;
    static final int REMEMBERED_WRITES = 2_000;

    private double writes;
    private double millis;

    /** A batch of so many writes took so long. */
    void took(int count, long tookMillis) {
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

    /** How long so many writes take; 0 as long as no batch was large enough to tell. */
    long millisFor(long count) {
        return writes == 0 ? 0 : (long) (count * millis / writes);
    }
}
