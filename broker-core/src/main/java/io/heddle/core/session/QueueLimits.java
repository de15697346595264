package io.heddle.core.session;

/**
 * What a session may hold back for its client.
 *
 * @param maximumMessages how many messages may wait, at least 1
 * @param maximumBytes how many bytes they may take together, at least 1
 * @param overflow what gives way when one more comes
 */
public record QueueLimits(int maximumMessages, long maximumBytes, Overflow overflow) {
    /** Which message is dropped when a queue is full. What the client was already sent never is. */
    public enum Overflow {
        /** The one that waits longest. */
        DROP_OLDEST,
        /** The one that has just come. */
        REJECT_NEWEST
    }
}
