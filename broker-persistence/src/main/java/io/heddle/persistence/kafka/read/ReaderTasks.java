package io.heddle.persistence.kafka.read;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tasks for the thread that reads the bucket logs, given by any thread. The reader is woken when as many have come as it waits for, and
 * looks after a millisecond what there is: the answers of many buckets wake it once. Bounded by those who give tasks: some for each
 * bucket.
 */
final class ReaderTasks implements Executor {
    private static final long LOOK_NANOS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition enough = lock.newCondition();
    // Guarded by lock.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private int wanted = Integer.MAX_VALUE;

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            tasks.add(task);
            if (tasks.size() >= wanted) {
                enough.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many tasks have come, or a millisecond for at least one, or for so long at most. */
    void await(int count, long nanos) throws InterruptedException {
        lock.lock();
        try {
            wanted = count;
            long left = nanos;
            while (tasks.isEmpty() && left > 0) {
                long looked = Math.min(left, LOOK_NANOS);
                long over = looked;
                while (tasks.size() < count && over > 0) {
                    over = enough.awaitNanos(over);
                }
                left -= looked - over;
            }
        } finally {
            wanted = Integer.MAX_VALUE;
            lock.unlock();
        }
    }

    /** Runs those that have come. On the reading thread. */
    void run() {
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
