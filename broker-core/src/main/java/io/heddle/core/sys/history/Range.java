package io.heddle.core.sys.history;

import java.time.Duration;

/** The time for which values are kept, and their distance. */
public enum Range {
    /** Values of ten seconds. */
    HOUR(Duration.ofSeconds(10), 360),
    /** Values of a minute. */
    DAY(Duration.ofMinutes(1), 1_440);

    private final Duration step;
    private final int length;

    Range(Duration step, int length) {
        this.step = step;
        this.length = length;
    }

    public Duration step() {
        return step;
    }

    public int length() {
        return length;
    }
}
