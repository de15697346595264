package io.heddle.core.delivery.bucket;

/**
 * Tells queues that do not answer from queues that are busy. Belongs to the thread that applies the logs.
 *
 * <p>Queues answer calls in the order in which they were made. So an answer that takes long is overdue only when no other answer comes
 * either, or when calls that were made later are answered.
 */
final class AnswerTimes {
    static final long OVERDUE_MILLIS = 500;

    private static final long LATER_MILLIS = OVERDUE_MILLIS / 2;

    private long lastAnswerMillis = Long.MIN_VALUE / 2;
    private long latestCallMillis = Long.MIN_VALUE / 2;

    /** A call that was made then is answered now. */
    void answered(long calledMillis, long nowMillis) {
        lastAnswerMillis = nowMillis;
        latestCallMillis = Math.max(latestCallMillis, calledMillis);
    }

    /** Whether a call that was made then and is not answered will probably not be answered soon. */
    boolean isOverdue(long calledMillis, long nowMillis) {
        return nowMillis - calledMillis >= OVERDUE_MILLIS
                && (nowMillis - lastAnswerMillis >= OVERDUE_MILLIS || latestCallMillis >= calledMillis + LATER_MILLIS);
    }
}
