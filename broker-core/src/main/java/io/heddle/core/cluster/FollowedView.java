package io.heddle.core.cluster;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The view as of the last followed record, and why this node is over, with the threads that wait for either. Thread-safe: all methods take
 * the lock, which the thread that calls may hold already.
 */
final class FollowedView {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private View view;
    private long followed;
    private @Nullable String over;

    FollowedView(View beginning) {
        this.view = beginning;
    }

    View view() {
        return read(() -> view);
    }

    /** Returns the offset below which all records are applied. */
    long followed() {
        return read(() -> followed);
    }

    /** Returns why this node is over, or null. */
    @Nullable
    String over() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    void begin(View beginning, long offset) {
        guarded(() -> {
            view = beginning;
            followed = offset;
        });
    }

    void apply(long offset, NodeRecord record) {
        guarded(() -> {
            view = view.after(offset, record);
            followed = offset + 1;
            changed.signalAll();
        });
    }

    void reached(long next) {
        guarded(() -> {
            followed = Math.max(followed, next);
            changed.signalAll();
        });
    }

    void end(String reason) {
        guarded(() -> {
            over = reason;
            changed.signalAll();
        });
    }

    /**
     * Blocks until the condition holds, at most for this time. It is called with the lock.
     *
     * @return whether it holds
     * @throws NodeOverException if this node is over
     */
    boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (true) {
                if (over != null) {
                    throw new NodeOverException(over);
                }
                if (condition.getAsBoolean()) {
                    return true;
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    void guarded(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }
}
