package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session whose queue gets a message, and how its client gets it.
 *
 * @param generation of the session: a later session of the same client gets nothing of this
 * @param qos that of the delivery, 1 or 2
 * @param retain the RETAIN flag that the client sees
 * @param subscriptionIdentifiers of the subscriptions that match
 * @param sharedFilter the filter, with its share prefix, of the shared subscription that chose this session for a message at QoS 1, so
 *     that another member gets the message when the session ends; else null
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

    /** A recipient that no shared subscription chose. */
    public QueueRecipient(
            ClientId clientId, long generation, QoS qos, boolean retain, List<Integer> subscriptionIdentifiers) {
        this(clientId, generation, qos, retain, subscriptionIdentifiers, null);
    }
}
