package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;

/**
 * One Topic Filter of a SUBSCRIBE with its options. The filter is not parsed yet: SUBACK refuses an invalid one without affecting
 * the others.
 *
 * @param topicFilter well-formed text, not yet a valid filter
 * @param maximumQos the highest QoS that the client requests
 * @param noLocal whether the client's own messages are not sent to it; false before MQTT 5.0
 * @param retainAsPublished whether the RETAIN flag is forwarded as published; false before MQTT 5.0
 * @param retainHandling whether retained messages are sent on SUBSCRIBE; {@link RetainHandling#SEND} before MQTT 5.0
 */
public record SubscriptionRequest(
        String topicFilter,
        QoS maximumQos,
        boolean noLocal,
        boolean retainAsPublished,
        RetainHandling retainHandling) {}
