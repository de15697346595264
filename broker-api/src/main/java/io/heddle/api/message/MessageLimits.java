package io.heddle.api.message;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The limits of messages, the same as for clients.
 *
 * @param maximumPacketSize in bytes
 * @param maximumTopicLength of a topic, in bytes
 * @param maximumTopicLevels of a topic or a topic filter
 * @param maximumUserProperties of a message
 * @param topics the topics that clients may use
 */
public record MessageLimits(
        int maximumPacketSize,
        int maximumTopicLength,
        int maximumTopicLevels,
        int maximumUserProperties,
        TopicRules topics) {
    /** Returns the client id under which an administrator publishes. */
    public static ClientId publisher(@Nullable Principal administrator) {
        return ClientId.ofAdministrator(administrator == null ? "" : administrator.getName());
    }
}
