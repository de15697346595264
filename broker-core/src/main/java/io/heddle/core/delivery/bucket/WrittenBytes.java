package io.heddle.core.delivery.bucket;

import java.util.Arrays;
import java.util.List;

/**
 * The number of bytes that were ever written to the log of each bucket, derived from the sizes that the logs have on disk at
 * moments. Belongs to the thread that trims the logs.
 *
 * <p>A log that has shrunk since the last measurement has lost whole segments; its growth is then taken to be that of the
 * interval before.
 */
final class WrittenBytes {
    private static final long UNKNOWN = -1;

    private final long[] onDisk;
    private final long[] written;
    private final long[] growth;

    WrittenBytes(int bucketCount) {
        onDisk = new long[bucketCount];
        Arrays.fill(onDisk, UNKNOWN);
        written = new long[bucketCount];
        growth = new long[bucketCount];
    }

    /** The logs have these sizes now, by bucket. */
    void measured(List<Long> sizes) {
        for (int bucket = 0; bucket < onDisk.length; bucket++) {
            long size = sizes.get(bucket);
            if (onDisk[bucket] == UNKNOWN) {
                written[bucket] = size;
            } else {
                if (size >= onDisk[bucket]) {
                    growth[bucket] = size - onDisk[bucket];
                }
                written[bucket] += growth[bucket];
            }
            onDisk[bucket] = size;
        }
    }

    /** Since before the first measurement; what the log held then counts as written. */
    long written(int bucket) {
        return written[bucket];
    }

    /** The size of all logs together when they were measured last. */
    long onDisk() {
        long all = 0;
        for (long one : onDisk) {
            all += Math.max(0, one);
        }
        return all;
    }
}
