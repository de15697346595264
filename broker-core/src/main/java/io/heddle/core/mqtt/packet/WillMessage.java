package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;

/**
 * The Will Message of a CONNECT: published when the connection ends without a normal DISCONNECT [MQTT-3.1.2-8].
 *
 * @param delaySeconds Will Delay Interval, 0 to 4,294,967,295
 */
public record WillMessage(
        TopicName topic, BinaryData payload, QoS qos, boolean retain, long delaySeconds, PublishProperties properties) {
    private static final int HELD_BYTES = 96;

    /** Returns about how many bytes it occupies. */
    public int heldBytes() {
        return HELD_BYTES + payload.length() + topic.value().length() + properties.heldBytes();
    }
}
