package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.Arrays;

/**
 * A snapshot of the progress of all buckets, by which their logs are truncated later: the applied offset of each bucket and the bytes of the
 * log up to it. Belongs to the housekeeping thread.
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
     * Returns the offset up to which a log may be deleted. The log may be applied beyond the position of its queues, because transaction
     * markers change nothing in the queues; reading resumes at the position.
     */
    private static long deletable(BucketPositions positions, int bucket) {
        BucketPosition known = positions.lastPosition(bucket);
        return known == null ? BucketBatch.NOTHING : Math.min(positions.appliedOffset(bucket), known.appliedOffset());
    }

    long atMillis() {
        return atMillis;
    }

    /** The offset up to which the queues of a bucket do not need the log. */
    long applied(int bucket) {
        return applied[bucket];
    }

    /** The bytes of a bucket's log up to the applied offset; never overestimated. */
    long appliedBytes(int bucket) {
        return appliedBytes[bucket];
    }

    /** The bytes ever written to all logs at the time of the snapshot. */
    long written() {
        return Arrays.stream(written).sum();
    }

    /** Derives the applied bytes: the bytes written at the latest snapshot whose appended records are all applied now. */
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

    /** Lowers this note to the present position of queues that have rolled back behind it. */
    void lower(TruncationNote now) {
        for (int bucket = 0; bucket < applied.length; bucket++) {
            applied[bucket] = Math.min(applied[bucket], now.applied[bucket]);
            appliedBytes[bucket] = Math.min(appliedBytes[bucket], now.appliedBytes[bucket]);
        }
    }
}
