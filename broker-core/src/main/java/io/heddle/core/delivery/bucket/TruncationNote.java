package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.Arrays;

/**
 * The state of each bucket at a moment, by which its log is trimmed later: up to where it was applied to the queues, and how many
 * bytes of the log that is. Belongs to the thread that trims the logs.
 */
final class TruncationNote {
    private final long atMillis;
    private final long[] applied;
    private final long[] appliedBytes;
    private final long[] appended;
    private final long[] written;

    TruncationNote(long atMillis, BucketPositions positions, WrittenBytes bytes, int bucketCount) {
        this.atMillis = atMillis;
        this.applied = new long[bucketCount];
        this.appliedBytes = new long[bucketCount];
        this.appended = new long[bucketCount];
        this.written = new long[bucketCount];
        Arrays.setAll(applied, bucket -> deletable(positions, bucket));
        Arrays.setAll(appended, positions::appendedOffset);
        Arrays.setAll(written, bytes::written);
    }

    /**
     * The log may be applied further than its queues stand, because the end of a transaction changes nothing in them. Reading goes on
     * behind where they stand.
     */
    private static long deletable(BucketPositions positions, int bucket) {
        BucketPosition known = positions.known(bucket);
        return known == null ? BucketBatch.NOTHING : Math.min(positions.appliedOffset(bucket), known.appliedOffset());
    }

    long atMillis() {
        return atMillis;
    }

    /** The offset up to which a bucket was applied, and which its queues do not need to go on. */
    long applied(int bucket) {
        return applied[bucket];
    }

    /** The bytes of a bucket's log that were applied; never too many. */
    long appliedBytes(int bucket) {
        return appliedBytes[bucket];
    }

    /** The bytes of all logs at that moment. */
    long written() {
        return Arrays.stream(written).sum();
    }

    /** Derives the applied bytes: those that were written at the last moment from which nothing later is unapplied. */
    void settle(Iterable<TruncationNote> newestFirst, long[] deletedBytes) {
        for (int bucket = 0; bucket < applied.length; bucket++) {
            appliedBytes[bucket] = appended[bucket] <= applied[bucket]
                    ? written[bucket]
                    : writtenAt(applied[bucket], bucket, newestFirst, deletedBytes[bucket]);
        }
    }

    private static long writtenAt(long offset, int bucket, Iterable<TruncationNote> newestFirst, long otherwise) {
        for (TruncationNote earlier : newestFirst) {
            if (earlier.appended[bucket] <= offset) {
                return earlier.written[bucket];
            }
        }
        return otherwise;
    }

    /** Queues that stand behind this note take it back to where they are now. */
    void lower(TruncationNote now) {
        for (int bucket = 0; bucket < applied.length; bucket++) {
            applied[bucket] = Math.min(applied[bucket], now.applied[bucket]);
            appliedBytes[bucket] = Math.min(appliedBytes[bucket], now.appliedBytes[bucket]);
        }
    }
}
