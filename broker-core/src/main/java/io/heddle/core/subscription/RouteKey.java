package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.TopicFilter;

/**
 * By what the cluster knows a subscription of a persistent session.
 *
 * @param topicFilter the text of the filter as it was sent, with the share prefix if any
 */
public record RouteKey(ClientId clientId, String topicFilter) {
    /** The key of a client's subscription with this filter. */
    public static RouteKey of(ClientId clientId, TopicFilter topicFilter) {
        return new RouteKey(clientId, topicFilter.value());
    }
}
