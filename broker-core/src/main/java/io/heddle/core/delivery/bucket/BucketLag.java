package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;

/**
 * The part of one bucket's log that this node has appended and that is not applied to the queues: its bytes, its writes and its age.
 * Guarded by the lock of its bucket.
 *
 * <p>Appends of a few milliseconds share an interval. Bound: {@value #MAXIMUM_INTERVALS} intervals; when they are used up,
 * neighbours merge and later intervals last twice as long, until the bucket has caught up.
 */
@HotPath
final class BucketLag {
    static final int MAXIMUM_INTERVALS = 64;
    static final long SHORTEST_MILLIS = 4;

    // A ring, by time.
    private final long[] lastOffsets = new long[MAXIMUM_INTERVALS];
    private final long[] intervalBytes = new long[MAXIMUM_INTERVALS];
    private final long[] intervalWrites = new long[MAXIMUM_INTERVALS];
    private final long[] startMillis = new long[MAXIMUM_INTERVALS];
    private int first;
    private int intervals;
    private long intervalMillis = SHORTEST_MILLIS;
    private long bytes;
    private long writes;

    /** A command of so many bytes, which is so many writes to queues, is durable and not applied. */
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

    private int at(int place) {
        return (first + place + MAXIMUM_INTERVALS) % MAXIMUM_INTERVALS;
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

    /** Everything up to this offset is applied. */
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

    /** At least the bytes that are not applied; too many by one interval at most. */
    long bytes() {
        return bytes;
    }

    /** The writes to queues that are not done; too many by one interval at most. */
    long writes() {
        return writes;
    }

    /** For how long the oldest of them is durable, or 0. */
    long ageMillis(long nowMillis) {
        return intervals == 0 ? 0 : nowMillis - startMillis[first];
    }
}
