package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * UNSUBACK: the answer to UNSUBSCRIBE.
 *
 * @param packetId from the UNSUBSCRIBE [MQTT-3.10.4-4]
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 * @param reasons one for each filter, in the same order; not sent before MQTT 5.0
 */
public record UnsubAckPacket(
        int packetId, @Nullable String reasonString, List<UserProperty> userProperties, List<ReasonCode> reasons)
        implements MqttPacket {}
