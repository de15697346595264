package io.heddle.core.delivery.bucket;

import java.util.Arrays;
import java.util.List;

/**
 * The total bytes ever written to the log of each bucket, derived from periodic measurements of the logs on disk. Belongs to the housekeeping
 * thread.
 *
 * <p>When a log has shrunk since the last measurement, whole segments were deleted; its growth is then assumed to equal that of the previous
 * interval.
 */
final class WrittenBytes {
    private static final long UNKNOWN = -1;

    private final long[] onDisk;
    private final long[] written;
    private final long[] growth;
    private final long[] ends;

    WrittenBytes(int bucketCount) {
        onDisk = new long[bucketCount];
        Arrays.fill(onDisk, UNKNOWN);
        written = new long[bucketCount];
        growth = new long[bucketCount];
        ends = new long[bucketCount];
    }

    void record(Measurement measured) {
        for (int bucket = 0; bucket < onDisk.length; bucket++) {
            ends[bucket] = measured.ends().get(bucket);
            long size = measured.sizes().get(bucket);
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

    /** The bytes written to a log, including its contents at the first measurement. */
    long written(int bucket) {
        return written[bucket];
    }

    /** The end offset of a log at the last measurement, or later. */
    long end(int bucket) {
        return ends[bucket];
    }

    /** The size of a log at the last measurement. */
    long onDisk(int bucket) {
        return Math.max(0, onDisk[bucket]);
    }

    /** The total size of all logs at the last measurement. */
    long onDisk() {
        long all = 0;
        for (int bucket = 0; bucket < onDisk.length; bucket++) {
            all += onDisk(bucket);
        }
        return all;
    }

    /**
     * The sizes and the end offsets of the logs of all buckets.
     *
     * @param ends measured after the sizes, so that the sizes contain no record behind them
     */
    record Measurement(List<Long> sizes, List<Long> ends) {}
}
