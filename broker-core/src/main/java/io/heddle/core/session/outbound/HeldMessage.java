package io.heddle.core.session.outbound;

import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.DeliveryTerms;
import java.util.List;

/**
 * A message that is held in memory for one client until the client acknowledges it.
 *
 * @param qos that of the delivery, 1 or 2
 * @param retain the RETAIN flag that the client sees
 * @param terms of the matching subscriptions
 */
public record HeldMessage(PublishMessage message, QoS qos, boolean retain, DeliveryTerms terms)
        implements OutboundQueue.Message, OutboundQueue.InFlight {
    /** The bytes that the session is charged for holding the message. */
    int bytes() {
        return MemoryBudget.copyBytes(message);
    }

    @Override
    public List<Integer> subscriptionIdentifiers() {
        return terms.subscriptionIdentifiers();
    }

    @Override
    public boolean duplicate() {
        return false;
    }

    @Override
    public boolean received() {
        return false;
    }
}
