package io.heddle.core.message;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The time of day at startup, advanced by the monotonic clock: setting the machine's clock moves no deadline. Thread-safe. */
public final class SteadyClock {
    private final long startMillis;
    private final long startNanos;
    private final LongSupplier nanoTime;

    /**
     * Creates a clock that starts now.
     *
     * @param timeOfDay read once
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public SteadyClock(InstantSource timeOfDay, LongSupplier nanoTime) {
        this.startMillis = timeOfDay.millis();
        this.startNanos = nanoTime.getAsLong();
        this.nanoTime = nanoTime;
    }

    /** Returns milliseconds since 1970. */
    public long millis() {
        return startMillis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
    }
}
