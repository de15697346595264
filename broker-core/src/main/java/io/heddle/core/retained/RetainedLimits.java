package io.heddle.core.retained;

import io.heddle.core.Limit;

/**
 * Limits of retained messages. A message that would exceed a limit is not retained; an existing message may be replaced if the new one
 * fits. Messages of the log are applied regardless of the limits.
 *
 * @param maximumMessages the maximum number of retained messages
 * @param maximumBytes the estimated memory of all retained messages: payloads, properties, topics and object overhead
 * @param maximumPayloadBytes the largest payload of a message, not above {@code maximumBytes}
 * @param maximumMessagesPerClient the maximum number of retained messages whose topic the same client created; 0 disables the limit
 */
public record RetainedLimits(
        int maximumMessages, long maximumBytes, int maximumPayloadBytes, int maximumMessagesPerClient) {
    public RetainedLimits {
        require("maximumMessages", maximumMessages, 1, Integer.MAX_VALUE);
        require("maximumBytes", maximumBytes, 1, Long.MAX_VALUE);
        require("maximumPayloadBytes", maximumPayloadBytes, 1, Math.min(maximumBytes, Integer.MAX_VALUE));
        require("maximumMessagesPerClient", maximumMessagesPerClient, 0, Integer.MAX_VALUE);
    }

    public Limit of(RetainOutcome.Refused refused) {
        return switch (refused) {
            case MAXIMUM_MESSAGES -> new Limit("heddle.retained.maximum-messages", maximumMessages);
            case MAXIMUM_BYTES -> new Limit("heddle.retained.maximum-bytes", maximumBytes);
            case MAXIMUM_PAYLOAD -> new Limit("heddle.retained.maximum-payload", maximumPayloadBytes);
            case MAXIMUM_PER_CLIENT ->
                new Limit("heddle.retained.maximum-messages-per-client", maximumMessagesPerClient);
        };
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be between " + least + " and " + most + ", not " + value);
        }
    }
}
