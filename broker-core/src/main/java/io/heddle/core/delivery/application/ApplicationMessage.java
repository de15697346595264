package io.heddle.core.delivery.application;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.util.List;

/**
 * A message as it stands in an APPLICATION client's log.
 *
 * @param sequence its number: its place in the log
 * @param message of the QoS and with the RETAIN flag of the delivery
 * @param qos that of the delivery, 1 or 2
 * @param retain the RETAIN flag that the client sees
 * @param subscriptionIdentifiers of the subscriptions that match
 */
public record ApplicationMessage(
        long sequence, PublishMessage message, QoS qos, boolean retain, List<Integer> subscriptionIdentifiers) {
    public ApplicationMessage {
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
    }
}
