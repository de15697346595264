package io.heddle.core.watchdog;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A thread without which a node does not do its part. It works on one piece after another, and waits in between. One thread writes at a time; any
 * thread may read.
 */
public final class WatchedThread {
    private final String name;
    // Odd during a piece of work.
    private final AtomicLong turns = new AtomicLong();
    private volatile @Nullable Thread thread;

    WatchedThread(String name) {
        this.name = name;
    }

    /** A piece of work begins. On the thread. */
    public void begin() {
        thread = Thread.currentThread();
        await();
    }

    /** The piece of work has ended. On the thread. */
    public void end() {
        thread = Thread.currentThread();
        turns.incrementAndGet();
    }

    /** A piece of work waits for the thread. */
    void await() {
        turns.incrementAndGet();
    }

    boolean isWorking() {
        return (turns.get() & 1) == 1;
    }

    /** Returns a number that changes with the beginning and the end of each piece of work. */
    long turns() {
        return turns.get();
    }

    /** Returns what the thread does now, a line for each frame; empty before its first piece of work. */
    String stack() {
        Thread known = thread;
        StringBuilder lines = new StringBuilder();
        if (known != null) {
            for (StackTraceElement each : known.getStackTrace()) {
                lines.append("\n\tat ").append(each);
            }
        }
        return lines.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
