package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttProperty;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * A PUBLISH that a {@link RawClient} received.
 *
 * @param packetId -1 at QoS 0
 * @param subscriptionIdentifiers in the order in which they came
 * @param expirySeconds the Message Expiry Interval, or -1
 */
public record RawPublish(
        String topic,
        String payload,
        int qos,
        int packetId,
        boolean duplicate,
        boolean retain,
        List<Integer> subscriptionIdentifiers,
        int expirySeconds) {
    /** Copies the packet's fields and releases it. */
    public static RawPublish of(MqttPublishMessage packet) {
        try {
            MqttProperties properties = packet.variableHeader().properties();
            List<Integer> identifiers = new ArrayList<>();
            for (MqttProperty<?> each : properties.getProperties(MqttProperties.SUBSCRIPTION_IDENTIFIER)) {
                identifiers.add((Integer) each.value());
            }
            MqttProperty<?> expiry = properties.getProperty(MqttProperties.PUBLICATION_EXPIRY_INTERVAL);
            return new RawPublish(
                    packet.variableHeader().topicName(),
                    packet.payload().toString(UTF_8),
                    packet.fixedHeader().qosLevel().value(),
                    packet.variableHeader().packetId(),
                    packet.fixedHeader().isDup(),
                    packet.fixedHeader().isRetain(),
                    identifiers,
                    expiry == null ? -1 : (Integer) expiry.value());
        } finally {
            packet.release();
        }
    }

    /** Returns the retransmission of this packet. */
    RawPublish asDuplicate() {
        return new RawPublish(topic, payload, qos, packetId, true, retain, subscriptionIdentifiers, expirySeconds);
    }
}
