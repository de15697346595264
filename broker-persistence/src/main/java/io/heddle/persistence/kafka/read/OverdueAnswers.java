package io.heddle.persistence.kafka.read;

import java.time.Duration;

/**
 * Decides how long the reader of the bucket logs waits for answers before it polls again. Belongs to its thread.
 *
 * <p>It waits {@value #LONGEST_MILLIS} ms at most. Answers that have not come by then are overdue: as long as no others are awaited, it waits
 * {@value #OVERDUE_MILLIS} ms, so a bucket that does not answer delays the others once and not in each round.
 */
final class OverdueAnswers {
    static final long LONGEST_MILLIS = 100;
    static final long OVERDUE_MILLIS = 5;

    private static final long LONGEST_NANOS = Duration.ofMillis(LONGEST_MILLIS).toNanos();
    private static final long OVERDUE_NANOS = Duration.ofMillis(OVERDUE_MILLIS).toNanos();

    private int overdue;

    /** How long to wait since the last poll, for so many answers; 0 for none. */
    long waitNanos(int awaited) {
        overdue = Math.min(overdue, awaited);
        if (awaited == 0) {
            return 0;
        }
        return awaited > overdue ? LONGEST_NANOS : OVERDUE_NANOS;
    }

    /** The wait is over, and so many answers have not come. */
    void waited(int awaited) {
        overdue = awaited;
    }
}
