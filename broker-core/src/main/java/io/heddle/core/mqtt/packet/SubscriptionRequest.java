package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;

/**
 * One Topic Filter of a SUBSCRIBE with its options. The filter is still text: an invalid one is answered in its place in
 * SUBACK and the others go on.
 *
 * @param topicFilter well-formed text, not yet a valid filter
 * @param maximumQos the highest QoS that the client wants messages with
 * @param noLocal do not send me what I publish; false before MQTT 5.0
 * @param retainAsPublished keep the RETAIN flag as published; false before MQTT 5.0
 * @param retainHandling whether retained messages are sent when the subscription is made; {@link
 *     RetainHandling#SEND} before MQTT 5.0
 */
public record SubscriptionRequest(
        String topicFilter,
        QoS maximumQos,
        boolean noLocal,
        boolean retainAsPublished,
        RetainHandling retainHandling) {}
