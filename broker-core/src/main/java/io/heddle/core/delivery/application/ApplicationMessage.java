package io.heddle.core.delivery.application;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.util.List;

/**
 * A message in an APPLICATION client's log.
 *
 * @param sequence the offset in the log
 * @param message with the QoS and RETAIN flag of the delivery
 * @param qos of the delivery, 1 or 2
 * @param retain the RETAIN flag of the delivery
 * @param subscriptionIdentifiers of the matching subscriptions
 */
public record ApplicationMessage(
        long sequence, PublishMessage message, QoS qos, boolean retain, List<Integer> subscriptionIdentifiers) {
    public ApplicationMessage {
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
    }
}
