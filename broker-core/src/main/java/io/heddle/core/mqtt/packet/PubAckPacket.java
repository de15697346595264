package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PUBACK: the receiver has accepted a QoS 1 message.
 *
 * @param packetId 1 to 65,535, from the PUBLISH
 * @param reason always {@link ReasonCode#SUCCESS} before MQTT 5.0
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 */
public record PubAckPacket(
        int packetId, ReasonCode reason, @Nullable String reasonString, List<UserProperty> userProperties)
        implements MqttPacket {}
