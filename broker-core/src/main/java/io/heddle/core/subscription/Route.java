package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;

/**
 * A subscription of a persistent session in the cluster's log.
 *
 * @param topicFilter the text of the filter as sent, with the share prefix if any
 * @param generation of the session; obsolete once a later session of the same client has another generation
 * @param qos granted by SUBACK
 * @param subscriptionIdentifier 1 to 268,435,455, or 0 if absent
 */
public record Route(
        ClientId clientId,
        String topicFilter,
        long generation,
        QoS qos,
        boolean noLocal,
        boolean retainAsPublished,
        int subscriptionIdentifier) {
    public RouteKey key() {
        return new RouteKey(clientId, topicFilter);
    }
}
