package io.heddle.core;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Limits how many log lines of one kind are written: {@value #LINES} in each ten seconds. Thread-safe. */
final class LogPace {
    /** What {@link #next} returns for a line that is to be left out. */
    static final int SILENT = -1;

    static final int LINES = 10;
    static final Duration WINDOW = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;
    private long windowStart;
    private int written;
    private int leftOut;

    LogPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.windowStart = nanoTime.getAsLong();
    }

    /** Whether a line may be written: how many were left out since the last one, or {@link #SILENT}. */
    synchronized int next() {
        long now = nanoTime.getAsLong();
        if (now - windowStart >= WINDOW.toNanos()) {
            windowStart = now;
            written = 0;
        }
        if (written == LINES) {
            leftOut++;
            return SILENT;
        }
        written++;
        int missing = leftOut;
        leftOut = 0;
        return missing;
    }
}
