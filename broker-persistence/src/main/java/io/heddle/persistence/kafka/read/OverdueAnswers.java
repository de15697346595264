package io.heddle.persistence.kafka.read;

import io.heddle.core.OwnerThread;
import java.time.Duration;

/**
 * Computes how long the reader of the bucket logs waits for answers of the queues before it polls again. Owned by the reader's thread.
 *
 * <p>The reader waits at most {@value #LONGEST_MILLIS} ms. Answers that are missing then are overdue. While only overdue answers are
 * missing, the reader waits {@value #OVERDUE_MILLIS} ms, so that a bucket that does not answer delays the others once and not in each
 * turn.
 */
final class OverdueAnswers {
    static final long LONGEST_MILLIS = 100;
    static final long OVERDUE_MILLIS = 5;

    private static final long LONGEST_NANOS = Duration.ofMillis(LONGEST_MILLIS).toNanos();
    private static final long OVERDUE_NANOS = Duration.ofMillis(OVERDUE_MILLIS).toNanos();

    private final OwnerThread owner = new OwnerThread();
    private int overdue;

    /** Returns the maximum wait since the last poll for this number of answers. */
    long waitNanos(int awaited) {
        owner.assertCurrent();
        overdue = Math.min(overdue, awaited);
        if (awaited == 0) {
            return 0;
        }
        return awaited > overdue ? LONGEST_NANOS : OVERDUE_NANOS;
    }

    /** Records the number of answers that are missing after a wait. */
    void onWaited(int missing) {
        owner.assertCurrent();
        overdue = missing;
    }
}
