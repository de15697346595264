package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import java.time.Duration;

/**
 * Compares the messages of a client with {@link RateLimits}. What the client has not used in the last second, it may use at once. Not
 * thread-safe.
 */
@HotPath
public final class MessageRate {
    /** The longest pause. */
    public static final int LONGEST_PAUSE_SECONDS = 60;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE = LONGEST_PAUSE_SECONDS * SECOND;

    private RateLimits limits = RateLimits.NONE;
    // When the messages and bytes so far would have been published or received at the rates of the limits.
    private long messagesNanos;
    private long bytesNanos;

    /** @return for how many nanoseconds no message may follow; at most 0 if the client is below its limits */
    public long count(PublishMessage message, RateLimits present, long nowNanos) {
        if (!limits.equals(present)) {
            limits = present;
            messagesNanos = nowNanos - SECOND;
            bytesNanos = messagesNanos;
        }
        messagesNanos = next(messagesNanos, nowNanos, 1, limits.messages());
        int bytes = message.payload().length()
                + message.topic().value().length()
                + message.properties().heldBytes();
        bytesNanos = next(bytesNanos, nowNanos, bytes, limits.bytes());
        return pauseNanos(present, nowNanos);
    }

    /** Returns for how many nanoseconds no message may follow; at most 0 if the client is below its limits, or they have changed. */
    public long pauseNanos(RateLimits present, long nowNanos) {
        long aheadNanos = (areMessagesAhead() ? messagesNanos : bytesNanos) - nowNanos;
        return limits.equals(present) ? Math.min(aheadNanos, LONGEST_PAUSE) : 0;
    }

    /** Forgives what exceeds the longest pause. */
    void forgive(long nowNanos) {
        long most = nowNanos + LONGEST_PAUSE;
        messagesNanos = messagesNanos - most > 0 ? most : messagesNanos;
        bytesNanos = bytesNanos - most > 0 ? most : bytesNanos;
    }

    private static long next(long before, long now, long amount, long perSecond) {
        long unused = now - SECOND;
        return (before - unused < 0 ? unused : before) + amount * SECOND / perSecond;
    }

    /** Returns whether the client has used anything in the last second, or owes it. */
    boolean isInUse(long nowNanos) {
        long unused = nowNanos - SECOND;
        return messagesNanos - unused > 0 || bytesNanos - unused > 0;
    }

    /** Returns whether the limit of messages, and not that of bytes, causes the pause. */
    public boolean areMessagesAhead() {
        return messagesNanos - bytesNanos > 0;
    }
}
