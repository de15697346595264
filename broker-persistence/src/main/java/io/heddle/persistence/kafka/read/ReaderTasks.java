package io.heddle.persistence.kafka.read;

import io.heddle.core.OwnerThread;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The task queue of the thread that reads the bucket logs; any thread may submit. The waiting reader wakes up when the expected number
 * of tasks has arrived, or checks every millisecond whether any has, so that the answers of many buckets wake it once. Bounded by the
 * submitters: a few tasks for each bucket.
 */
final class ReaderTasks implements Executor {
    private static final long CHECK_INTERVAL_NANOS = 1_000_000;

    private final OwnerThread reader = new OwnerThread();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition enough = lock.newCondition();
    // Guarded by lock.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private int expected = Integer.MAX_VALUE;

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            tasks.add(task);
            if (tasks.size() >= expected) {
                enough.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this number of tasks is queued, or any at the end of a millisecond, or the time is up. Reading thread only. */
    void await(int count, long nanos) throws InterruptedException {
        reader.assertCurrent();
        lock.lock();
        try {
            expected = count;
            long left = nanos;
            while (tasks.isEmpty() && left > 0) {
                long slice = Math.min(left, CHECK_INTERVAL_NANOS);
                long sliceLeft = slice;
                while (tasks.size() < count && sliceLeft > 0) {
                    sliceLeft = enough.awaitNanos(sliceLeft);
                }
                left -= slice - sliceLeft;
            }
        } finally {
            expected = Integer.MAX_VALUE;
            lock.unlock();
        }
    }

    /** Runs the queued tasks. Reading thread only. */
    void run() {
        reader.assertCurrent();
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            return tasks.poll();
        } finally {
            lock.unlock();
        }
    }
}
