package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;

/**
 * A subscription of a persistent session, as the whole cluster knows it.
 *
 * @param topicFilter the text of the filter as it was sent, with the share prefix if any
 * @param generation of the session: that of a later session of the same client says that this one is over
 * @param qos what SUBACK granted
 * @param subscriptionIdentifier 1 to 268,435,455, or 0 for none
 */
public record Route(
        ClientId clientId,
        String topicFilter,
        long generation,
        QoS qos,
        boolean noLocal,
        boolean retainAsPublished,
        int subscriptionIdentifier) {
    /** By what it is known. */
    public RouteKey key() {
        return new RouteKey(clientId, topicFilter);
    }
}
