package io.heddle.core.retained;

/**
 * How much is kept. What would exceed a limit is refused; a message that is there already may be replaced as long as the new
 * one fits.
 *
 * @param maximumMessages retained messages of all topics
 * @param maximumBytes memory of all of them: payloads, properties, topics, and what the broker itself needs for each, estimated
 * @param maximumPayloadBytes the largest payload of one, not above {@code maximumBytes}
 * @param maximumMessagesPerClient topics on which one client may be the first to leave a message, until it is gone; 0: no such
 *     limit
 */
public record RetainedLimits(
        int maximumMessages, long maximumBytes, int maximumPayloadBytes, int maximumMessagesPerClient) {
    public RetainedLimits {
        require("maximumMessages", maximumMessages, 1, Integer.MAX_VALUE);
        require("maximumBytes", maximumBytes, 1, Long.MAX_VALUE);
        require("maximumPayloadBytes", maximumPayloadBytes, 1, Math.min(maximumBytes, Integer.MAX_VALUE));
        require("maximumMessagesPerClient", maximumMessagesPerClient, 0, Integer.MAX_VALUE);
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be between " + least + " and " + most + ", not " + value);
        }
    }
}
