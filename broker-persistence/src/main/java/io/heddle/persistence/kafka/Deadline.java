package io.heddle.persistence.kafka;

import java.time.Duration;

/** A point in monotonic time until which something may be tried again. */
public record Deadline(long nanoTime) {
    public static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Negative when it is over. */
    public long remainingNanos() {
        return nanoTime - System.nanoTime();
    }
}
