package io.heddle.core.message;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The time of day at startup, advanced by the monotonic clock: setting the machine's clock moves no deadline. Thread-safe. */
public final class SteadyClock {
    private final long startMillis;
    private final long startMicros;
    private final long startNanos;
    private final LongSupplier nanoTime;

    /**
     * Creates a clock that starts now.
     *
     * @param timeOfDay read once
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public SteadyClock(InstantSource timeOfDay, LongSupplier nanoTime) {
        Instant start = timeOfDay.instant();
        this.startMillis = start.toEpochMilli();
        this.startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, start);
        this.startNanos = nanoTime.getAsLong();
        this.nanoTime = nanoTime;
    }

    /** Returns microseconds since 1970. */
    public long micros() {
        return startMicros + TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - startNanos);
    }

    /** Returns milliseconds since 1970. */
    public long millis() {
        return startMillis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
    }

    /**
     * Returns the time of this clock at which a time of day is reached. This clock may have started with a wrong time of day.
     *
     * @param now the present time of day
     */
    public Instant deadline(Instant timeOfDay, Instant now) {
        return Instant.ofEpochMilli(millis()).plus(Duration.between(now, timeOfDay));
    }
}
