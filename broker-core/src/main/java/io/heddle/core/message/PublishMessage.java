package io.heddle.core.message;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;

/**
 * A message on its way from a publisher to its subscribers.
 *
 * @param publisher for No Local; the client whose PUBLISH or will this is
 * @param qos as published; each subscriber gets at most this
 * @param retain RETAIN as published
 */
public record PublishMessage(
        ClientId publisher,
        TopicName topic,
        QoS qos,
        boolean retain,
        PublishProperties properties,
        BinaryData payload) {}
