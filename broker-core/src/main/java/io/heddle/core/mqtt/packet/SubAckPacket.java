package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SUBACK: the answer to SUBSCRIBE.
 *
 * @param packetId from the SUBSCRIBE [MQTT-3.8.4-2]
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 * @param reasons one for each filter, in the same order [MQTT-3.8.4-6]
 */
public record SubAckPacket(
        int packetId, @Nullable String reasonString, List<UserProperty> userProperties, List<ReasonCode> reasons)
        implements MqttPacket {}
