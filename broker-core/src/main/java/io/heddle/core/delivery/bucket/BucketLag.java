package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;

/**
 * The bytes, writes and age of the commands that this node has appended to one bucket's log and that are not applied to the queues. Guarded
 * by the lock of its bucket.
 *
 * <p>Appends within a few milliseconds share an interval. Bound: {@value #MAXIMUM_INTERVALS} intervals; beyond that, neighbouring intervals
 * are merged and later intervals last twice as long, until the bucket has caught up.
 */
@HotPath
final class BucketLag {
    static final int MAXIMUM_INTERVALS = 64;
    static final long SHORTEST_MILLIS = 4;

    // A ring buffer in order of time.
    private final long[] lastOffsets = new long[MAXIMUM_INTERVALS];
    private final long[] intervalBytes = new long[MAXIMUM_INTERVALS];
    private final long[] intervalWrites = new long[MAXIMUM_INTERVALS];
    private final long[] startMillis = new long[MAXIMUM_INTERVALS];
    private int first;
    private int intervals;
    private long intervalMillis = SHORTEST_MILLIS;
    private long bytes;
    private long writes;

    /** Adds a durable command. */
    void appended(long offset, long size, int count, long nowMillis) {
        bytes += size;
        writes += count;
        int last = at(intervals - 1);
        if (intervals > 0 && nowMillis - startMillis[last] < intervalMillis) {
            lastOffsets[last] = Math.max(lastOffsets[last], offset);
            intervalBytes[last] += size;
            intervalWrites[last] += count;
            return;
        }
        if (intervals == MAXIMUM_INTERVALS) {
            merge();
        }
        int added = at(intervals++);
        lastOffsets[added] = offset;
        intervalBytes[added] = size;
        intervalWrites[added] = count;
        startMillis[added] = nowMillis;
    }

    private int at(int index) {
        return (first + index + MAXIMUM_INTERVALS) % MAXIMUM_INTERVALS;
    }

    private void merge() {
        for (int i = 0; i < intervals / 2; i++) {
            int even = at(2 * i);
            int odd = at(2 * i + 1);
            int merged = at(i);
            long lastOffset = Math.max(lastOffsets[even], lastOffsets[odd]);
            long size = intervalBytes[even] + intervalBytes[odd];
            long count = intervalWrites[even] + intervalWrites[odd];
            long start = startMillis[even];
            lastOffsets[merged] = lastOffset;
            intervalBytes[merged] = size;
            intervalWrites[merged] = count;
            startMillis[merged] = start;
        }
        intervals /= 2;
        intervalMillis *= 2;
    }

    /** Removes the intervals that are applied up to this offset. */
    void applied(long offset) {
        while (intervals > 0 && lastOffsets[first] <= offset) {
            bytes -= intervalBytes[first];
            writes -= intervalWrites[first];
            first = at(1);
            intervals--;
        }
        if (intervals == 0) {
            intervalMillis = SHORTEST_MILLIS;
        }
    }

    /** The bytes of commands that are not applied, overestimated by one interval at most. */
    long bytes() {
        return bytes;
    }

    /** The writes to queues that are not applied, overestimated by one interval at most. */
    long writes() {
        return writes;
    }

    /** The age of the oldest command that is not applied, or 0. */
    long ageMillis(long nowMillis) {
        return intervals == 0 ? 0 : nowMillis - startMillis[first];
    }
}
