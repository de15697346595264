package io.heddle.core;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits log lines of one kind: a number of lines in a window of time, of which each subject, a client for instance, gets one. Thread-safe.
 * A suppressed line takes no lock. Bound: as many subjects as lines.
 */
public final class LogRateLimit {
    /** Returned if the line must not be logged. */
    public static final long SUPPRESSED = -1;

    private final int maximumLines;
    private final long windowNanos;
    private final LongSupplier nanoTime;
    private final LongAdder suppressed = new LongAdder();
    private volatile Window current;

    /** Written under the lock. */
    private static final class Window {
        /** The time of its first line. */
        private final long startNanos;

        private final Set<Object> subjects = ConcurrentHashMap.newKeySet();
        private volatile int lines;

        Window(long startNanos) {
            this.startNanos = startNanos;
        }

        boolean isOver(long nowNanos, long windowNanos) {
            return nowNanos - startNanos >= windowNanos;
        }
    }

    /**
     * Creates a limit without lines.
     *
     * @param maximumLines the maximum number of lines in a window, at least 1
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public LogRateLimit(int maximumLines, Duration window, LongSupplier nanoTime) {
        this.maximumLines = maximumLines;
        this.windowNanos = window.toNanos();
        this.nanoTime = nanoTime;
        this.current = new Window(nanoTime.getAsLong());
    }

    /** Returns the number of lines suppressed since the last one that was logged, or {@link #SUPPRESSED}. */
    public long acquire() {
        return acquire(null);
    }

    /**
     * Returns the number of lines suppressed since the last one that was logged, or {@link #SUPPRESSED}.
     *
     * @param subject gets one line in a window; null if the line has no subject
     */
    public long acquire(@Nullable Object subject) {
        long nowNanos = nanoTime.getAsLong();
        if (isSuppressed(current, subject, nowNanos) || !begin(subject, nowNanos)) {
            suppressed.increment();
            return SUPPRESSED;
        }
        return suppressed.sumThenReset();
    }

    public int subjects() {
        return current.subjects.size();
    }

    private boolean isSuppressed(Window window, @Nullable Object subject, long nowNanos) {
        return !window.isOver(nowNanos, windowNanos)
                && (window.lines == maximumLines || (subject != null && window.subjects.contains(subject)));
    }

    private synchronized boolean begin(@Nullable Object subject, long nowNanos) {
        Window window = current;
        if (isSuppressed(window, subject, nowNanos)) {
            return false;
        }
        Window next = window.isOver(nowNanos, windowNanos) ? new Window(nowNanos) : window;
        if (subject != null) {
            next.subjects.add(subject);
        }
        next.lines = next.lines + 1;
        current = next;
        return true;
    }
}
