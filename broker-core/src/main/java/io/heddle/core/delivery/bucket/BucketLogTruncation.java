package io.heddle.core.delivery.bucket;

import io.heddle.core.OwnerThread;
import io.heddle.core.delivery.bucket.WrittenBytes.Measurement;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.StorageRoom;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes applied records from the logs of the held buckets: records older than the replay window, and, when the logs or the disk run out
 * of room, the oldest of the others. Records that are not applied, or were applied within the minimum window, are never deleted. Belongs to
 * the thread {@code heddle-bucket-truncation}; never blocks.
 *
 * <p>Periodic notes record the position of the queues, and records below a note are deleted when the note is due. When queues have rolled
 * back behind a note, the note is lowered, so that no record is deleted that they need. Bound: {@value #NOTES} notes for each window, and
 * {@value #NOTES} for the maximum size of the logs.
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
    private final OwnerThread owner = new OwnerThread();
    private final long[] deletedBelow;
    private final long[] deletedBytes;
    private final WrittenBytes bytes;
    private final ArrayDeque<TruncationNote> notes = new ArrayDeque<>();
    private final Counter failures;
    // The last measurement, set by a thread of the log.
    private final AtomicReference<@Nullable Measurement> measurement = new AtomicReference<>();
    private final AtomicBoolean measuring = new AtomicBoolean();
    private long nextLogMillis;
    // Read by the gauge.
    private volatile long reachesBackTo;

    /**
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
        this.failures = metrics.counter("heddle.buckets.truncation.failures");
        this.reachesBackTo = clock.millis();
        this.nextLogMillis = reachesBackTo;
        Gauge.builder("heddle.buckets.replay.window", this, BucketLogTruncation::windowSeconds)
                .baseUnit("seconds")
                .register(metrics);
    }

    private double windowSeconds() {
        return (clock.millis() - reachesBackTo) / 1_000.0;
    }

    /** Notes the present position of the queues and deletes records below due notes. */
    public void run() {
        owner.assertCurrent();
        long nowMillis = clock.millis();
        takeMeasurement();
        countLogsOfOthers();
        TruncationNote now = new TruncationNote(nowMillis, positions, bytes, deletedBelow.length);
        now.settle(notes::descendingIterator, deletedBytes);
        notes.forEach(note -> note.lower(now));
        if (isWorthKeeping(now)) {
            notes.add(now);
        }
        deleteExpired(nowMillis);
        deleteForRoom(nowMillis);
        room.judge(keptBytes(), bytes.onDisk());
    }

    /** Takes the last measurement and requests the next one. */
    private void takeMeasurement() {
        Measurement measured = measurement.getAndSet(null);
        if (measured != null) {
            bytes.record(measured);
        }
        if (measuring.compareAndSet(false, true)) {
            bucketLog
                    .sizes()
                    .thenCompose(sizes -> bucketLog.ends().thenApply(ends -> new Measurement(sizes, ends)))
                    .whenComplete((answer, failure) -> {
                        if (failure != null) {
                            failures.increment();
                            log.debug("Cannot measure the bucket logs; truncating by the last measurement", failure);
                        }
                        measurement.set(answer);
                        measuring.set(false);
                    });
        }
    }

    /** Counts all bytes of a log on disk as kept: another node holds its bucket and deletes its records. */
    private void countLogsOfOthers() {
        for (int bucket = 0; bucket < deletedBytes.length; bucket++) {
            if (!positions.isHeld(bucket)) {
                deletedBytes[bucket] = bytes.written(bucket) - bytes.onDisk(bucket);
            }
        }
    }

    private boolean isWorthKeeping(TruncationNote now) {
        TruncationNote last = notes.peekLast();
        return last == null
                || now.atMillis() - last.atMillis() >= limits.window().toMillis() / NOTES
                || now.written() - last.written() >= room.maximumBytes() / NOTES;
    }

    private void deleteExpired(long nowMillis) {
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

    /** Deletes the oldest records until the rest fits. */
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

    /** Three quarters of the bound, or less, so that disk space is freed before publishes are refused. */
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

    /** The bytes of all logs that remain when the records below a note are deleted. */
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
            if (below > deletedBelow[bucket] && positions.holding(bucket) == due.holding(bucket)) {
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
                log.debug("Cannot truncate the log of bucket {} below offset {}", bucket, below, failure);
            }
        });
    }

    private void logShrunk(long nowMillis) {
        if (nowMillis >= nextLogMillis) {
            nextLogMillis = nowMillis + LOG_PAUSE.toMillis();
            log.warn(
                    "The bucket logs exceed their size limit or the disk is filling up: applied records are deleted after"
                            + " {} s instead of {} s (raise heddle.buckets.maximum-bytes, free disk space, or shorten"
                            + " heddle.buckets.replay-window)",
                    (nowMillis - reachesBackTo) / 1_000,
                    limits.window().toSeconds());
        }
    }
}
