package io.heddle.core.client;

import io.heddle.core.Port;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * A thread that owns connections and their sessions and never blocks. Other threads reach its objects only through
 * {@link #execute}.
 */
@Port
public interface EventLoop extends Executor {
    /** Returns the index of this loop on the node, from 0 without gaps. */
    int index();

    /** Returns whether the calling thread is this loop's. */
    boolean isCurrent();

    /** Returns monotonic time in nanoseconds; only differences are meaningful. */
    long nanoTime();

    /**
     * Runs a task on this loop once, after a delay. Any thread.
     *
     * @return a handle that cancels it
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs long work in small steps, between the turns in which the loop serves its connections. Called on this loop only. The
     * first step runs after the caller returns.
     */
    void inBackground(BackgroundWork work);

    /**
     * Throws unless the calling thread is this loop's. The entry points of the objects that this loop owns call it first.
     *
     * @throws IllegalStateException on any other thread
     */
    default void assertCurrent() {
        if (!isCurrent()) {
            throw wrongThread();
        }
    }

    // Apart, so that the check itself stays small enough to be inlined into each delivery.
    private IllegalStateException wrongThread() {
        return new IllegalStateException("called on thread "
                + Thread.currentThread().getName() + ", but only the owning event loop " + index() + " may call this");
    }

    interface Timer {
        /** Cancels the task unless it has started. Any thread; idempotent. */
        void cancel();
    }
}
