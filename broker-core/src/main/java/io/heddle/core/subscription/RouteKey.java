package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.TopicFilter;

/**
 * The key of a {@link Route}.
 *
 * @param topicFilter the text of the filter as sent, with the share prefix if any
 */
public record RouteKey(ClientId clientId, String topicFilter) {
    /** Returns the key of a client's subscription. */
    public static RouteKey of(ClientId clientId, TopicFilter topicFilter) {
        return new RouteKey(clientId, topicFilter.value());
    }
}
