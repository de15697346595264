package io.heddle.persistence.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A point in monotonic time after which retries end.
 *
 * @param endNanos the point in time, by the clock
 * @param nanoTime the monotonic clock, in nanoseconds
 */
public record Deadline(long endNanos, LongSupplier nanoTime) {
    public static Deadline in(Duration duration, LongSupplier nanoTime) {
        return new Deadline(nanoTime.getAsLong() + duration.toNanos(), nanoTime);
    }

    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Returns the time left, negative after the deadline. */
    public long remainingNanos() {
        return endNanos - nanoTime.getAsLong();
    }
}
