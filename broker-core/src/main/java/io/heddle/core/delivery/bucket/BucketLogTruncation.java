package io.heddle.core.delivery.bucket;

import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.StorageRoom;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes applied records from the bucket logs: those older than the replay window, and, when the logs or the disk run out of
 * room, the oldest of the younger ones. Records that are not applied to the queues, or were applied within the minimum window,
 * are never deleted. Belongs to the housekeeping thread that runs it; never blocks.
 *
 * <p>It notes how far the queues are, and deletes below a note when that is due. When queues turn out to stand behind a note, the
 * note follows them: nothing is deleted that they need. Bound: {@value #NOTES} notes for each window, and as many for each size
 * of the logs.
 */
public final class BucketLogTruncation {
    private static final Logger log = LoggerFactory.getLogger(BucketLogTruncation.class);
    private static final int NOTES = 64;
    private static final Duration LOG_PAUSE = Duration.ofMinutes(10);

    private final BucketLog bucketLog;
    private final BucketPositions positions;
    private final SteadyClock clock;
    private final StorageRoom room;
    private final TruncationLimits limits;
    private final long[] deletedBelow;
    private final long[] deletedBytes;
    private final WrittenBytes bytes;
    private final ArrayDeque<TruncationNote> notes = new ArrayDeque<>();
    private final Counter failures;
    // The answer of the log, which comes on a thread of its own.
    private final AtomicReference<@Nullable List<Long>> sizes = new AtomicReference<>();
    private final AtomicBoolean measuring = new AtomicBoolean();
    private long nextLogMillis;
    // Read by the gauge.
    private volatile long reachesBackTo;

    /**
     * Of all buckets, nothing deleted.
     *
     * @param bucketCount at least 1
     */
    public BucketLogTruncation(
            BucketLog bucketLog,
            BucketPositions positions,
            int bucketCount,
            TruncationLimits limits,
            StorageRoom room,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.bucketLog = bucketLog;
        this.positions = positions;
        this.clock = clock;
        this.room = room;
        this.limits = limits;
        this.deletedBelow = new long[bucketCount];
        this.deletedBytes = new long[bucketCount];
        this.bytes = new WrittenBytes(bucketCount);
        this.failures = metrics.counter("heddle.buckets.trim.failures");
        this.reachesBackTo = clock.millis();
        this.nextLogMillis = reachesBackTo;
        Gauge.builder("heddle.buckets.replay.window", this, BucketLogTruncation::windowSeconds)
                .baseUnit("seconds")
                .register(metrics);
    }

    private double windowSeconds() {
        return (clock.millis() - reachesBackTo) / 1_000.0;
    }

    /** Notes how far the queues are now, and deletes what is due. */
    public void run() {
        long nowMillis = clock.millis();
        takeSizes();
        TruncationNote now = new TruncationNote(nowMillis, positions, bytes, deletedBelow.length);
        now.settle(notes::descendingIterator, deletedBytes);
        notes.forEach(note -> note.lower(now));
        if (isWorthKeeping(now)) {
            notes.add(now);
        }
        deleteOutdated(nowMillis);
        deleteForRoom(nowMillis);
        room.judge(keptBytes(), bytes.onDisk());
    }

    /** Those of the last answer; asks for the next one. */
    private void takeSizes() {
        List<Long> measured = sizes.getAndSet(null);
        if (measured != null) {
            bytes.measured(measured);
        }
        if (measuring.compareAndSet(false, true)) {
            bucketLog.sizes().whenComplete((answer, failure) -> {
                if (failure != null) {
                    failures.increment();
                    log.debug("The sizes of the bucket logs are not known", failure);
                }
                sizes.set(answer);
                measuring.set(false);
            });
        }
    }

    private boolean isWorthKeeping(TruncationNote now) {
        TruncationNote last = notes.peekLast();
        return last == null
                || now.atMillis() - last.atMillis() >= limits.window().toMillis() / NOTES
                || now.written() - last.written() >= room.maximumBytes() / NOTES;
    }

    private void deleteOutdated(long nowMillis) {
        TruncationNote due = null;
        for (TruncationNote first = notes.peek();
                first != null && first.atMillis() + limits.window().toMillis() <= nowMillis;
                first = notes.peek()) {
            due = notes.poll();
        }
        if (due != null) {
            delete(due);
        }
    }

    /** The oldest first, until the rest fits. */
    private void deleteForRoom(long nowMillis) {
        long allowed = allowedBytes();
        TruncationNote due = null;
        for (TruncationNote first = notes.peek();
                first != null
                        && first.atMillis() + limits.minimumWindow().toMillis() <= nowMillis
                        && keptBytes(due) > allowed;
                first = notes.peek()) {
            due = notes.poll();
        }
        if (due != null) {
            delete(due);
            logShrunk(nowMillis);
        }
    }

    /** Three quarters of the bound; less when the disk needs the space, so that it is freed before publications are refused. */
    private long allowedBytes() {
        long allowed = room.maximumBytes() / 4 * 3;
        long free = room.measureFreeBytes();
        if (free != StorageRoom.UNKNOWN) {
            allowed = Math.min(allowed, bytes.onDisk() + free - 2 * room.minimumFreeBytes());
        }
        return allowed;
    }

    private long keptBytes() {
        return keptBytes(null);
    }

    /** The bytes of all logs that are not deleted, when those below a note are deleted, too. */
    private long keptBytes(@Nullable TruncationNote below) {
        long kept = 0;
        for (int bucket = 0; bucket < deletedBytes.length; bucket++) {
            long deleted = below == null ? 0 : below.appliedBytes(bucket);
            kept += bytes.written(bucket) - Math.max(deletedBytes[bucket], deleted);
        }
        return kept;
    }

    private void delete(TruncationNote due) {
        reachesBackTo = due.atMillis();
        for (int bucket = 0; bucket < deletedBelow.length; bucket++) {
            deletedBytes[bucket] = Math.max(deletedBytes[bucket], due.appliedBytes(bucket));
            long below = due.applied(bucket) + 1;
            if (below > deletedBelow[bucket]) {
                deletedBelow[bucket] = below;
                delete(bucket, below);
            }
        }
    }

    private void delete(int bucket, long below) {
        bucketLog.deleteBelow(bucket, below).whenComplete((_, failure) -> {
            if (failure != null) {
                // The next deletion of the bucket includes this one.
                failures.increment();
                log.debug("bucket {}: what is below offset {} could not be deleted", bucket, below, failure);
            }
        });
    }

    private void logShrunk(long nowMillis) {
        if (nowMillis >= nextLogMillis) {
            nextLogMillis = nowMillis + LOG_PAUSE.toMillis();
            log.warn(
                    "The bucket logs need more room than they may take: records that Redis has applied are deleted after"
                            + " {} s instead of {} s (raise heddle.buckets.maximum-bytes, free disk space, or shorten"
                            + " heddle.buckets.replay-window)",
                    (nowMillis - reachesBackTo) / 1_000,
                    limits.window().toSeconds());
        }
    }
}
