package io.heddle.core.client;

import io.heddle.core.Port;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * A thread that owns connections and their sessions and never blocks. {@link #execute} is the only way to reach what it owns
 * from another thread.
 */
@Port
public interface EventLoop extends Executor {
    /** The number of this loop among those of the node, from 0 and without gaps. */
    int index();

    /** Whether the calling thread is this loop's. */
    boolean isCurrent();

    /** Monotonic time in nanoseconds; only differences mean something. */
    long nanoTime();

    /**
     * Runs a task on this loop once, after a delay. May be called from any thread.
     *
     * @return the handle to cancel it with
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Does work that may take long in small steps, between the turns in which it serves its connections. Called on this loop only.
     * The first step runs later, after the caller's own.
     */
    void inBackground(BackgroundWork work);

    /**
     * Throws unless the calling thread is this loop's; the first line of every method that only the owner may call.
     *
     * @throws IllegalStateException on any other thread
     */
    default void assertCurrent() {
        if (!isCurrent()) {
            throw new IllegalStateException(
                    "called on " + Thread.currentThread().getName() + ", but only the owning event loop " + index()
                            + " may do this");
        }
    }

    /** A scheduled task. */
    interface Timer {
        /** The task does not run any more, unless it already began. May be called from any thread, more than once. */
        void cancel();
    }
}
