package io.heddle.core.session.outbound;

import io.heddle.core.Limit;

/**
 * The limits of the messages that wait for one client.
 *
 * @param maximumMessages the highest number of waiting messages, at least 1
 * @param maximumBytes the highest number of their bytes together, at least 1
 * @param overflow the policy when a further message does not fit
 */
public record QueueLimits(int maximumMessages, long maximumBytes, Overflow overflow) {
    /** Selects the message that is dropped when a queue is full. A message in flight is never dropped. */
    public enum Overflow {
        /** Drops the message that has waited longest. */
        DROP_OLDEST,
        /** Drops the message that has just arrived. */
        REJECT_NEWEST
    }

    /** Returns the limit that a queue of this many messages has reached. */
    Limit exceeded(int messages) {
        return messages >= maximumMessages
                ? new Limit("heddle.session.maximum-queued-messages", maximumMessages)
                : new Limit("heddle.session.maximum-queued-bytes", maximumBytes);
    }
}
