package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import java.util.List;

/**
 * A session whose queue gets a message, and how its client gets it.
 *
 * @param generation of the session: a later session of the same client gets nothing of this
 * @param qos that of the delivery, 1 or 2
 * @param retain the RETAIN flag that the client sees
 * @param subscriptionIdentifiers of the subscriptions that match
 */
public record QueueRecipient(
        ClientId clientId, long generation, QoS qos, boolean retain, List<Integer> subscriptionIdentifiers) {
    public QueueRecipient {
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
    }
}
