package io.heddle.core;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Limits log lines of one kind to {@value #MAXIMUM_LINES} in ten seconds. Thread-safe. */
final class LogRateLimit {
    /** Returned by {@link #acquire} if the line must not be logged. */
    static final int SUPPRESSED = -1;

    static final int MAXIMUM_LINES = 10;
    static final Duration WINDOW = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;
    private long windowStart;
    private int logged;
    private int suppressed;

    LogRateLimit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.windowStart = nanoTime.getAsLong();
    }

    /**
     * Returns the number of lines suppressed since the last logged one, or {@link #SUPPRESSED} if this line must not be logged.
     */
    synchronized int acquire() {
        long now = nanoTime.getAsLong();
        if (now - windowStart >= WINDOW.toNanos()) {
            windowStart = now;
            logged = 0;
        }
        if (logged == MAXIMUM_LINES) {
            suppressed++;
            return SUPPRESSED;
        }
        logged++;
        int unreported = suppressed;
        suppressed = 0;
        return unreported;
    }
}
