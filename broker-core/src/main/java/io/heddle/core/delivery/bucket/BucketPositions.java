package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The progress of each bucket: the offset up to which this node has appended to its log. For a held bucket also the offset up to which the
 * log is applied to its queues, and the lag between the two; also for a bucket whose holder, another node, reports how far it is applied.
 * Thread-safe: one lock per bucket, never held while calling out. {@link #hold}, {@link #release}, {@link #applied}, {@link #onStalled} and
 * {@link #recordPosition} are called by the applying thread.
 *
 * <p>States of a bucket: not held (its lag is unknown, and delays and refuses nothing) → held, with unknown position → in step → lagging
 * (above a bound of {@link LagBounds}: acknowledgements wait) → full (above twice the bytes: publishes are refused) → in step; not held
 * again from each. With the first report of its holder, a bucket that is not held is in step; when the holder falls silent, its lag is
 * unknown again. Bound: one waiting task for each connecting client and one for each connection whose acknowledgements wait.
 *
 * <p>Metrics: {@code heddle.buckets.held}, {@code heddle.buckets.lag.publishers}, and for each bucket {@code
 * heddle.buckets.lag{bucket}} and {@code heddle.buckets.lag.bytes{bucket}}.
 */
@HotPath
public final class BucketPositions {
    private final BucketProgress[] buckets;
    private final LagBounds bounds;
    private final AtomicInteger laggingBuckets = new AtomicInteger();
    private final AtomicInteger fullBuckets = new AtomicInteger();
    private final AtomicInteger heldPublishers = new AtomicInteger();

    /** @param bucketCount at least 1; no bucket is held */
    public BucketPositions(int bucketCount, LagBounds bounds, SteadyClock clock, MeterRegistry metrics) {
        this.bounds = bounds;
        buckets = new BucketProgress[bucketCount];
        Arrays.setAll(buckets, _ -> new BucketProgress(bounds, clock, laggingBuckets, fullBuckets));
        Gauge.builder("heddle.buckets.held", buckets, BucketPositions::countHeld)
                .description("Buckets whose logs this node reads and applies")
                .register(metrics);
        Gauge.builder("heddle.buckets.lag.publishers", heldPublishers, AtomicInteger::doubleValue)
                .description("Connections whose acknowledgements wait for a lagging bucket")
                .register(metrics);
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            register(bucket, metrics);
        }
    }

    /** Begins to record the progress of a bucket, of which nothing is known. Does nothing if the bucket is held. */
    public void hold(int bucket) {
        run(buckets[bucket].hold());
    }

    private static long countHeld(BucketProgress[] buckets) {
        long held = 0;
        for (BucketProgress bucket : buckets) {
            held += bucket.isHeld() ? 1 : 0;
        }
        return held;
    }

    private void register(int bucket, MeterRegistry metrics) {
        TimeGauge.builder("heddle.buckets.lag", buckets[bucket], TimeUnit.MILLISECONDS, BucketProgress::lagMillis)
                .description("Age of the oldest command appended by this node and not applied to the queues")
                .tag("bucket", Integer.toString(bucket))
                .register(metrics);
        Gauge.builder("heddle.buckets.lag.bytes", buckets[bucket], BucketProgress::lagBytes)
                .description("Commands appended by this node and not applied to the queues")
                .tag("bucket", Integer.toString(bucket))
                .baseUnit("bytes")
                .register(metrics);
    }

    /** Forgets the progress of a bucket that another node may hold from now on, and runs the alternatives of the tasks that wait for it. */
    public void release(int bucket) {
        run(buckets[bucket].release());
    }

    /** Returns what the other nodes must know of a bucket; null while it is not held or its position is unknown. Any thread. */
    public @Nullable AppliedReport report(int bucket) {
        return buckets[bucket].report();
    }

    /** Records how far the holder of a bucket, another node, has applied it. Any thread. Ignored if this node holds the bucket. */
    public void onReport(int bucket, Incarnation holder, AppliedReport report) {
        run(buckets[bucket].onReport(holder, report));
    }

    /**
     * Forgets a lagging bucket whose holder, another node, has not reported for some time, so that it delays and refuses nothing any more.
     * Any thread. Returns whether it did.
     */
    public boolean forgetSilent(int bucket, Duration silence) {
        boolean isLagging = isLagging(bucket);
        run(buckets[bucket].forgetSilent(silence.toMillis()));
        return isLagging && !isLagging(bucket);
    }

    /** Returns whether this node holds a bucket. Any thread. */
    public boolean isHeld(int bucket) {
        return buckets[bucket].isHeld();
    }

    /** Returns the held buckets, in order. Any thread. */
    List<Integer> held() {
        List<Integer> held = new ArrayList<>();
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            if (isHeld(bucket)) {
                held.add(bucket);
            }
        }
        return held;
    }

    /** Returns a number for the present holding of a bucket, or {@link BucketProgress#NEVER_HELD} while it is not held. Any thread. */
    long holding(int bucket) {
        return buckets[bucket].holding();
    }

    /**
     * Records that a command of this node is durable in the log. Any thread; offsets may arrive in any order.
     *
     * @param bytes of the record
     * @param writes to queues, see {@link BucketCommand#writes}
     */
    public void appended(int bucket, long offset, int bytes, int writes) {
        buckets[bucket].appended(offset, bytes, writes);
    }

    /** Records the duration of a batch. On the applying thread. */
    void recordApplied(int bucket, int writes, long millis) {
        buckets[bucket].recordApplied(writes, millis);
    }

    /**
     * Records that the log of a held bucket is applied up to and including this offset, and runs the tasks that wait for it. The offset
     * decreases when the queues have rolled back; later tasks then wait for the replay.
     */
    public void applied(int bucket, long offset) {
        run(buckets[bucket].applied(offset));
    }

    /** Records that the queues of a bucket do not answer. Until they do, the age of the lag delays no acknowledgement. */
    void onStalled(int bucket) {
        run(buckets[bucket].onStalled());
    }

    /**
     * Records that a bucket is not applied in this holding. The bucket delays no acknowledgement; above the bound of its bytes
     * publishes are refused.
     */
    void onStopped(int bucket) {
        run(buckets[bucket].onStopped());
    }

    public int count() {
        return buckets.length;
    }

    private static void run(List<Runnable> due) {
        for (int i = 0; i < due.size(); i++) {
            due.get(i).run();
        }
    }

    /**
     * Records the position that the queues of a held bucket have reported.
     *
     * @param position not behind an earlier one with the same view id
     */
    public void recordPosition(int bucket, BucketPosition position) {
        buckets[bucket].recordPosition(position);
    }

    /**
     * Returns the highest position with the present view id that the queues have reported in this holding, or null if they have reported
     * none. Any thread.
     */
    public @Nullable BucketPosition lastPosition(int bucket) {
        return buckets[bucket].lastPosition();
    }

    /** Records that the queues of a bucket have rolled back. Tasks wait from now on until the log is replayed. */
    public void onRolledBack(int bucket) {
        var _ = buckets[bucket].applied(BucketBatch.NOTHING);
    }

    /** Returns whether the queues are not known to have rolled back behind the highest offset ever applied. Any thread. */
    boolean isInStep(int bucket) {
        return buckets[bucket].isInStep();
    }

    /**
     * Runs a task once everything that this node has appended before this call, and everything that was ever applied, is applied: at once if
     * it is already, otherwise on the applying thread. Tasks of the same bucket run in order.
     *
     * @param released runs instead of the task, at once if this node does not hold the bucket, and on the applying thread if this node
     *     releases the bucket first
     */
    public Hold whenApplied(int bucket, Runnable task, Runnable released) {
        Hold hold = new Hold(BucketBatch.NOTHING, task, released, null);
        switch (buckets[bucket].await(hold)) {
            case APPLIED -> hold.run();
            case NOT_HELD -> hold.onReleased();
            case WAITS -> {
                // The applying thread runs one of the two.
            }
        }
        return hold;
    }

    /** Describes the progress of a bucket, for a message. Any thread. */
    public String describe(int bucket) {
        return "bucket " + bucket + " " + buckets[bucket].describe();
    }

    /** Returns the limit of the lag above which publishes are refused. */
    public Limit lagLimit() {
        return new Limit("twice heddle.buckets.maximum-lag-bytes", 2 * bounds.maximumBytes());
    }

    /** Returns whether publishes to any bucket are refused. Any thread. */
    public boolean isAnyFull() {
        return fullBuckets.get() > 0;
    }

    /** Returns whether publishes to this bucket are refused, because it lags too far. Any thread. */
    public boolean isFull(int bucket) {
        return buckets[bucket].isFull();
    }

    /** Returns whether acknowledgements of publishes to any bucket wait. Any thread. */
    public boolean isAnyLagging() {
        return laggingBuckets.get() > 0;
    }

    /** Returns whether acknowledgements of publishes to this bucket wait. Any thread. */
    public boolean isLagging(int bucket) {
        return buckets[bucket].isLagging();
    }

    /** The age of the oldest command of this node that is not applied. Any thread. */
    public long lagMillis(int bucket) {
        return buckets[bucket].lagMillis();
    }

    /** The bytes of the commands of this node that are not applied. Any thread. */
    public long lagBytes(int bucket) {
        return buckets[bucket].lagBytes();
    }

    /** Returns whether a publisher must still wait: the bucket lags and the backlog is not applied. Any thread. */
    public boolean isBehind(Backlog backlog) {
        return isLagging(backlog.bucket) && buckets[backlog.bucket].appliedOffset() < backlog.offset;
    }

    /**
     * Runs a task once a bucket is not {@linkplain #isBehind behind}: at once if it is not, otherwise on the applying thread. A bucket that
     * is not held is never behind.
     */
    public Hold whenCaughtUp(Backlog backlog, Runnable task) {
        Hold hold = new Hold(backlog.offset, task, task, heldPublishers);
        if (!buckets[backlog.bucket].hold(hold)) {
            hold.cancel();
            task.run();
        }
        return hold;
    }

    /** The offset up to which the log of a bucket is applied, or {@link BucketBatch#NOTHING}. */
    public long appliedOffset(int bucket) {
        return buckets[bucket].appliedOffset();
    }

    /** The highest offset that this node has appended to the log of a bucket, or {@link BucketBatch#NOTHING}. */
    public long appendedOffset(int bucket) {
        return buckets[bucket].appendedOffset();
    }

    /** The part of a bucket's log up to an offset, which a publisher waits for. */
    public record Backlog(int bucket, long offset) {}

    /** A task that waits for a bucket to catch up. Thread-safe. */
    public static final class Hold {
        // Guarded by the lock of the bucket.
        long offset;
        private final Runnable released;
        private final @Nullable AtomicInteger counted;
        // Guarded by this.
        private @Nullable Runnable task;

        Hold(long offset, Runnable task, Runnable released, @Nullable AtomicInteger counted) {
            this.offset = offset;
            this.task = task;
            this.released = released;
            this.counted = counted;
            if (counted != null) {
                counted.incrementAndGet();
            }
        }

        private synchronized @Nullable Runnable take() {
            Runnable taken = task;
            task = null;
            if (taken != null && counted != null) {
                counted.decrementAndGet();
            }
            return taken;
        }

        void run() {
            Runnable taken = take();
            if (taken != null) {
                taken.run();
            }
        }

        /** The bucket is released before it is applied that far. */
        void onReleased() {
            if (take() != null) {
                released.run();
            }
        }

        /** Returns whether the task has run or was cancelled. Any thread. */
        public synchronized boolean isDone() {
            return task == null;
        }

        /** Cancels the task and releases it. Idempotent. Any thread. */
        public void cancel() {
            var _ = take();
        }
    }
}
