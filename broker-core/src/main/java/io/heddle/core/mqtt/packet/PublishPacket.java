package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PUBLISH as sent on one connection.
 *
 * @param topic null if only the alias identifies it [MQTT-3.3.2-8]
 * @param topicAlias 1 to 65,535, or {@link #NO_TOPIC_ALIAS}
 * @param qos on this connection
 * @param retain RETAIN flag
 * @param duplicate DUP flag; false at QoS 0 [MQTT-3.3.1-2]
 * @param packetId 1 to 65,535, or {@link #NO_PACKET_ID} at QoS 0 [MQTT-2.2.1-2]
 * @param properties forwarded with the message
 * @param subscriptionIdentifiers only from server to client [MQTT-3.3.4-6]; 1 to 268,435,455 each
 * @param payload possibly empty
 */
public record PublishPacket(
        @Nullable TopicName topic,
        int topicAlias,
        QoS qos,
        boolean retain,
        boolean duplicate,
        int packetId,
        PublishProperties properties,
        List<Integer> subscriptionIdentifiers,
        BinaryData payload)
        implements MqttPacket {
    /** The packet carries no Topic Alias. */
    public static final int NO_TOPIC_ALIAS = 0;

    /** The packet carries no Packet Identifier. */
    public static final int NO_PACKET_ID = 0;
}
