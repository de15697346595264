package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * CONNACK: the answer to CONNECT.
 *
 * @param sessionPresent always false with an error [MQTT-3.2.2-6]
 * @param reason {@link ReasonCode#SUCCESS} or an error; the codec maps it to one of the five error codes of MQTT 3.x
 * @param properties of MQTT 5.0; not sent in earlier versions
 */
public record ConnAckPacket(boolean sessionPresent, ReasonCode reason, ConnAckProperties properties)
        implements MqttPacket {
    /** Creates an error with a Reason String, or without one. */
    public static ConnAckPacket refusal(ReasonCode reason, @Nullable String reasonString) {
        return new ConnAckPacket(false, reason, ConnAckProperties.ofReasonString(reasonString));
    }
}
