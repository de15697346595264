package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session whose queue gets a message, and the terms of the delivery.
 *
 * @param generation of the session; a later session of the same client does not get the message
 * @param qos of the delivery, 1 or 2
 * @param retain the RETAIN flag of the delivery
 * @param subscriptionIdentifiers of the matching subscriptions
 * @param sharedFilter the filter, with its share prefix, of the shared subscription that selected this session for a QoS 1 message; another
 *     member gets the message if the session ends. Null otherwise
 */
public record QueueRecipient(
        ClientId clientId,
        long generation,
        QoS qos,
        boolean retain,
        List<Integer> subscriptionIdentifiers,
        @Nullable String sharedFilter) {
    public QueueRecipient {
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
    }

    /** A recipient that no shared subscription selected. */
    public QueueRecipient(
            ClientId clientId, long generation, QoS qos, boolean retain, List<Integer> subscriptionIdentifiers) {
        this(clientId, generation, qos, retain, subscriptionIdentifiers, null);
    }
}
