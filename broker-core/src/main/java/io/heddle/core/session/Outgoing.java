package io.heddle.core.session;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.DeliveryTerms;

/**
 * A message as one client gets it.
 *
 * @param qos that of the delivery, 1 or 2
 * @param retain the RETAIN flag that the client sees
 * @param terms of the subscriptions that it matches
 */
record Outgoing(PublishMessage message, QoS qos, boolean retain, DeliveryTerms terms) {
    /** What a held message costs besides itself: this record and its place. */
    private static final int HELD_BYTES = 64;

    /** What the session is charged for holding it. */
    int bytes() {
        return HELD_BYTES + message.heldBytes();
    }
}
