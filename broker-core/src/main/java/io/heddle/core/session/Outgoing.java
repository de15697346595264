package io.heddle.core.session;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.DeliveryTerms;

/**
 * A message as one client gets it.
 *
 * @param qos that of the delivery, 1 or 2
 * @param retain the RETAIN flag that the client sees
 * @param terms of the subscriptions that it matches
 */
record Outgoing(PublishMessage message, QoS qos, boolean retain, DeliveryTerms terms) implements InFlight {
    /** What the session is charged for holding it. */
    int bytes() {
        return MemoryBudget.copyBytes(message);
    }
}
