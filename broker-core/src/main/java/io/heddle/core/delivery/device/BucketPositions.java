package io.heddle.core.delivery.device;

import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far each bucket is: what this node has appended to its log, and what of the log is applied to its queues.
 * Thread-safe: one small lock per bucket, never held while calling out. {@link #applied} and {@link #stands} belong to
 * the thread that applies the log. Bounded by those who wait: each of them is a client that waits for its own answer.
 */
public final class BucketPositions {
    private final Bucket[] buckets;

    /** Of so many buckets, at least 1; nothing is appended and nothing applied. */
    public BucketPositions(int bucketCount) {
        buckets = new Bucket[bucketCount];
        for (int i = 0; i < bucketCount; i++) {
            buckets[i] = new Bucket();
        }
    }

    /** A command of this node is in the log, durably. Any thread; offsets may come in any order. */
    public void appended(int bucket, long offset) {
        buckets[bucket].appended(offset);
    }

    /**
     * The log is applied up to and with this offset. It goes back when the queues were found to have forgotten something: then
     * whoever waits from then on waits for the second time that the log is applied. Runs what waited for it, here and now.
     */
    public void applied(int bucket, long offset) {
        for (Runnable waiting : buckets[bucket].applied(offset)) {
            waiting.run();
        }
    }

    /**
     * The queues of a bucket answered that they stand there.
     *
     * @param position never one that is behind what they answered before, but for its incarnation
     */
    void stands(int bucket, BucketPosition position) {
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
    public void whenApplied(int bucket, Runnable task) {
        if (!buckets[bucket].waits(task)) {
            task.run();
        }
    }

    /** Up to where the log of a bucket is applied, or {@link BucketBatch#NOTHING}. */
    public long appliedOffset(int bucket) {
        return buckets[bucket].appliedOffset();
    }

    /** The highest offset that this node has appended to the log of a bucket, or {@link BucketBatch#NOTHING}. */
    public long appendedOffset(int bucket) {
        return buckets[bucket].appendedOffset();
    }

    /** One bucket. */
    private static final class Bucket {
        // By rising target, because what is appended and what was reached only grow.
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
        private long appended = BucketBatch.NOTHING;
        private long applied = BucketBatch.NOTHING;
        // The highest that it ever was.
        private long reached = BucketBatch.NOTHING;
        private @Nullable BucketPosition known;

        synchronized void appended(long offset) {
            appended = Math.max(appended, offset);
        }

        synchronized List<Runnable> applied(long offset) {
            applied = offset;
            reached = Math.max(reached, offset);
            Waiting first = waiting.peekFirst();
            if (first == null || first.target > offset) {
                return List.of();
            }
            List<Runnable> due = new ArrayList<>();
            while (first != null && first.target <= offset) {
                due.add(first.task);
                waiting.removeFirst();
                first = waiting.peekFirst();
            }
            return due;
        }

        synchronized boolean waits(Runnable task) {
            long target = Math.max(appended, reached);
            if (target <= applied) {
                return false;
            }
            waiting.addLast(new Waiting(target, task));
            return true;
        }

        synchronized void stands(BucketPosition position) {
            long offset = known == null ? BucketBatch.NOTHING : known.appliedOffset();
            known = new BucketPosition(position.incarnation(), Math.max(offset, position.appliedOffset()));
        }

        synchronized @Nullable BucketPosition known() {
            return known;
        }

        synchronized boolean isInStep() {
            return applied >= reached;
        }

        synchronized long appliedOffset() {
            return applied;
        }

        synchronized long appendedOffset() {
            return appended;
        }
    }

    private record Waiting(long target, Runnable task) {}
}
