package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AUTH: a step of MQTT 5.0's enhanced authentication.
 *
 * @param reason success, continue authentication or re-authenticate [MQTT-3.15.2-1]
 * @param authenticationMethod or null
 * @param authenticationData or null
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 */
public record AuthPacket(
        ReasonCode reason,
        @Nullable String authenticationMethod,
        @Nullable BinaryData authenticationData,
        @Nullable String reasonString,
        List<UserProperty> userProperties)
        implements MqttPacket {}
