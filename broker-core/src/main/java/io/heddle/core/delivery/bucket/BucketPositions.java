package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The progress of each bucket: what this node has appended to its log, what of the log is applied to its queues, and how far the
 * queues lag. Thread-safe: one small lock per bucket, never held while calling out. {@link #applied}, {@link #stalled} and {@link
 * #stands} belong to the thread that applies the log.
 *
 * <p>A bucket is in step → lagging (above a bound of {@link LagBounds}: acknowledgements wait) → full (above twice the bytes:
 * publishes are refused) → in step. Bound: one waiting task for each client that is being connected and one for each connection
 * whose acknowledgements wait.
 *
 * <p>Metrics: {@code heddle.buckets.lag{bucket}}, {@code heddle.buckets.lag.bytes{bucket}} and {@code
 * heddle.buckets.lag.publishers}.
 */
@HotPath
public final class BucketPositions {
    private final BucketProgress[] buckets;
    private final AtomicInteger laggingBuckets = new AtomicInteger();
    private final AtomicInteger fullBuckets = new AtomicInteger();
    private final AtomicInteger heldPublishers = new AtomicInteger();

    /** Of so many buckets, at least 1; nothing is appended and nothing applied. */
    public BucketPositions(int bucketCount, LagBounds bounds, SteadyClock clock, MeterRegistry metrics) {
        buckets = new BucketProgress[bucketCount];
        for (int i = 0; i < bucketCount; i++) {
            BucketProgress bucket = new BucketProgress(bounds, clock, laggingBuckets, fullBuckets);
            buckets[i] = bucket;
            TimeGauge.builder("heddle.buckets.lag", bucket, TimeUnit.MILLISECONDS, BucketProgress::lagMillis)
                    .description("Age of the oldest command of this node that is not applied to the queues")
                    .tag("bucket", Integer.toString(i))
                    .register(metrics);
            Gauge.builder("heddle.buckets.lag.bytes", bucket, BucketProgress::lagBytes)
                    .description("Commands of this node that are not applied to the queues")
                    .tag("bucket", Integer.toString(i))
                    .baseUnit("bytes")
                    .register(metrics);
        }
        Gauge.builder("heddle.buckets.lag.publishers", heldPublishers, AtomicInteger::doubleValue)
                .description("Connections whose acknowledgements wait for a bucket that lags")
                .register(metrics);
    }

    /**
     * A command of this node is in the log, durably. Any thread; offsets may come in any order.
     *
     * @param bytes of its record
     * @param writes to queues, see {@link BucketCommand#writes}
     */
    public void appended(int bucket, long offset, int bytes, int writes) {
        buckets[bucket].appended(offset, bytes, writes);
    }

    /** The queues of a bucket took so many writes in so long. On the thread that applies the log. */
    void took(int bucket, int writes, long millis) {
        buckets[bucket].took(writes, millis);
    }

    /**
     * The log is applied up to and with this offset. It goes back when the queues were found to have forgotten something: then
     * whoever waits from then on waits for the second time that the log is applied. Runs what waited for it, here and now.
     */
    public void applied(int bucket, long offset) {
        run(buckets[bucket].applied(offset));
    }

    /** The queues of a bucket do not answer: while they don't, the age of its lag holds up no acknowledgement. */
    void stalled(int bucket) {
        run(buckets[bucket].stalled());
    }

    /**
     * A bucket is not applied any more before the node is started again: it holds up no acknowledgement and refuses publishes above the
     * bound of its bytes.
     */
    void stopped(int bucket) {
        run(buckets[bucket].stopped());
    }

    /** How many buckets there are. */
    int count() {
        return buckets.length;
    }

    private static void run(List<Runnable> due) {
        for (int i = 0; i < due.size(); i++) {
            due.get(i).run();
        }
    }

    /**
     * The queues of a bucket answered that they stand there.
     *
     * @param position never one that is behind what they answered before, but for its incarnation
     */
    public void stands(int bucket, BucketPosition position) {
        buckets[bucket].stands(position);
    }

    /** The farthest that the queues of a bucket were heard to stand, as what they are now, or null when they were not. Any thread. */
    public @Nullable BucketPosition known(int bucket) {
        return buckets[bucket].known();
    }

    /** The queues of a bucket were found to have forgotten something: nothing of them is relied on until their log is applied again. */
    public void forgotten(int bucket) {
        var _ = buckets[bucket].applied(BucketBatch.NOTHING);
    }

    /** Whether all that was ever applied is, as far as anybody knows. Any thread. */
    boolean isInStep(int bucket) {
        return buckets[bucket].isInStep();
    }

    /**
     * Runs a task once all that this node has appended so far, and all that was applied before, as of this call, is
     * applied: now and here when it is already, else on the thread that applies the log. Tasks that wait for the same
     * bucket run in their order.
     */
    public Hold whenApplied(int bucket, Runnable task) {
        Hold hold = buckets[bucket].waits(task);
        if (hold == null) {
            task.run();
            return Hold.OVER;
        }
        return hold;
    }

    /** How far a bucket is, for a sentence. Any thread. */
    public String describe(int bucket) {
        return "bucket " + bucket + " " + buckets[bucket].describe();
    }

    /** Whether publishes to any bucket are refused. Any thread. */
    public boolean isAnyFull() {
        return fullBuckets.get() > 0;
    }

    /** Whether publishes to this bucket are refused, because it lags too far. Any thread. */
    public boolean isFull(int bucket) {
        return buckets[bucket].isFull();
    }

    /** Whether acknowledgements of publishes to any bucket wait. Any thread. */
    public boolean isAnyLagging() {
        return laggingBuckets.get() > 0;
    }

    /** Whether acknowledgements of publishes to this bucket wait. Any thread. */
    public boolean isLagging(int bucket) {
        return buckets[bucket].isLagging();
    }

    /** For how long the oldest command of this node that is not applied is durable. Any thread. */
    public long lagMillis(int bucket) {
        return buckets[bucket].lagMillis();
    }

    /** The bytes of the commands of this node that are not applied. Any thread. */
    public long lagBytes(int bucket) {
        return buckets[bucket].lagBytes();
    }

    /** Whether a publisher still waits for a command: its bucket lags and has not applied it. Any thread. */
    public boolean isBehind(Backlog backlog) {
        return isLagging(backlog.bucket) && buckets[backlog.bucket].appliedOffset() < backlog.offset;
    }

    /**
     * Runs a task once a bucket is not {@linkplain #isBehind behind} any more: now and here when it is not, else on the thread that
     * applies the log.
     */
    public Hold whenCaughtUp(Backlog backlog, Runnable task) {
        Hold hold = new Hold(backlog.offset, task, heldPublishers);
        if (!buckets[backlog.bucket].holds(hold)) {
            hold.cancel();
            task.run();
        }
        return hold;
    }

    /** Up to where the log of a bucket is applied, or {@link BucketBatch#NOTHING}. */
    public long appliedOffset(int bucket) {
        return buckets[bucket].appliedOffset();
    }

    /** The highest offset that this node has appended to the log of a bucket, or {@link BucketBatch#NOTHING}. */
    public long appendedOffset(int bucket) {
        return buckets[bucket].appendedOffset();
    }

    /** A bucket's log up to an offset, which a publisher waits for. */
    public record Backlog(int bucket, long offset) {}

    /** A task that waits for a bucket to catch up. Thread-safe. */
    public static final class Hold {
        private static final Hold OVER = new Hold(BucketBatch.NOTHING, null, null);

        final long offset;
        private final @Nullable AtomicInteger counted;
        // Guarded by this.
        private @Nullable Runnable task;

        Hold(long offset, @Nullable Runnable task, @Nullable AtomicInteger counted) {
            this.offset = offset;
            this.task = task;
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

        void release() {
            Runnable taken = take();
            if (taken != null) {
                taken.run();
            }
        }

        /** Whether the task has run or runs no more. Any thread. */
        public synchronized boolean isOver() {
            return task == null;
        }

        /** The task runs no more, and is not referred to any more. Any thread, more than once. */
        public void cancel() {
            var _ = take();
        }
    }
}
