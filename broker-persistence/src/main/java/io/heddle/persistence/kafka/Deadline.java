package io.heddle.persistence.kafka;

import java.time.Duration;

/** A point in monotonic time after which retries end. */
public record Deadline(long nanoTime) {
    public static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Returns the time left, negative after the deadline. */
    public long remainingNanos() {
        return nanoTime - System.nanoTime();
    }
}
