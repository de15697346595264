package io.heddle.core.delivery.bucket;

/**
 * Distinguishes queues that do not answer from queues that are busy. Belongs to the applying thread.
 *
 * <p>The store answers calls in order. A late answer is therefore overdue only when no other answer arrives either, or when later calls are
 * answered.
 */
final class AnswerTimes {
    static final long OVERDUE_MILLIS = 500;

    private static final long LATER_MILLIS = OVERDUE_MILLIS / 2;

    private long lastAnswerMillis = Long.MIN_VALUE / 2;
    private long latestCallMillis = Long.MIN_VALUE / 2;

    void record(long calledMillis, long nowMillis) {
        lastAnswerMillis = nowMillis;
        latestCallMillis = Math.max(latestCallMillis, calledMillis);
    }

    boolean isOverdue(long calledMillis, long nowMillis) {
        return nowMillis - calledMillis >= OVERDUE_MILLIS
                && (nowMillis - lastAnswerMillis >= OVERDUE_MILLIS || latestCallMillis >= calledMillis + LATER_MILLIS);
    }
}
