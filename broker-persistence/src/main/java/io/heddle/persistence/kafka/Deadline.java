package io.heddle.persistence.kafka;

import java.time.Duration;

/** A point in monotonic time until which something may be tried again. */
record Deadline(long nanoTime) {
    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Negative when it is over. */
    long remainingNanos() {
        return nanoTime - System.nanoTime();
    }
}
