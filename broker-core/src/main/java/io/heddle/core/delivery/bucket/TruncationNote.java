package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.Arrays;

/**
 * A snapshot of the progress of the held buckets, by which their logs are truncated later: the applied offset of each bucket and the bytes
 * of the log up to it. It is valid for a bucket only while the node holds the bucket without interruption: another holder may have seen its
 * queues roll back. Belongs to the housekeeping thread.
 */
final class TruncationNote {
    private final long atMillis;
    private final long[] applied;
    private final long[] reached;
    private final long[] appliedBytes;
    private final long[] appended;
    private final long[] written;
    private final long[] holdings;

    TruncationNote(long atMillis, BucketPositions positions, WrittenBytes bytes, int bucketCount) {
        this.atMillis = atMillis;
        this.applied = new long[bucketCount];
        this.reached = new long[bucketCount];
        this.appliedBytes = new long[bucketCount];
        this.appended = new long[bucketCount];
        this.written = new long[bucketCount];
        this.holdings = new long[bucketCount];
        // Before the positions: a note of an earlier holding then never has a position of a later one.
        Arrays.setAll(holdings, positions::holding);
        Arrays.setAll(applied, bucket -> deletable(positions, bucket));
        Arrays.setAll(reached, positions::appliedOffset);
        // Other nodes append, too.
        Arrays.setAll(appended, bucket -> Math.max(positions.appendedOffset(bucket), bytes.end(bucket) - 1));
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

    long holding(int bucket) {
        return holdings[bucket];
    }

    /** The bytes ever written to all logs at the time of the snapshot. */
    long written() {
        return Arrays.stream(written).sum();
    }

    /**
     * Derives the applied bytes of the held buckets: the bytes written at the latest snapshot whose appended records are all applied now.
     * Of a bucket that another node holds, the applied bytes are unknown.
     */
    void settle(Iterable<TruncationNote> newestFirst, long[] deletedBytes) {
        for (int bucket = 0; bucket < applied.length; bucket++) {
            if (holdings[bucket] == BucketProgress.NEVER_HELD) {
                appliedBytes[bucket] = deletedBytes[bucket];
            } else if (appended[bucket] <= reached[bucket]) {
                appliedBytes[bucket] = written[bucket];
            } else {
                appliedBytes[bucket] = writtenAt(reached[bucket], bucket, newestFirst, deletedBytes[bucket]);
            }
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

    /** Lowers this note to the present position of queues that have rolled back behind it, and drops the offsets of other holdings. */
    void lower(TruncationNote now) {
        for (int bucket = 0; bucket < applied.length; bucket++) {
            boolean isSameHolding = holdings[bucket] == now.holdings[bucket];
            applied[bucket] = isSameHolding ? Math.min(applied[bucket], now.applied[bucket]) : BucketBatch.NOTHING;
            appliedBytes[bucket] = Math.min(appliedBytes[bucket], now.appliedBytes[bucket]);
        }
    }
}
