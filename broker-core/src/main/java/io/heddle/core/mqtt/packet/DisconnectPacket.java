package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DISCONNECT: the last packet of a connection. Only MQTT 5.0 servers send it.
 *
 * @param reason {@link ReasonCode#SUCCESS} is the normal disconnection, after which no will is published [MQTT-3.14.4-3]
 * @param sessionExpirySeconds a new Session Expiry Interval from the client, or null
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 * @param serverReference another server to use, from the server, or null
 */
public record DisconnectPacket(
        ReasonCode reason,
        @Nullable Long sessionExpirySeconds,
        @Nullable String reasonString,
        List<UserProperty> userProperties,
        @Nullable String serverReference)
        implements MqttPacket {
    /** A DISCONNECT that says why and nothing else. */
    public static DisconnectPacket of(ReasonCode reason, @Nullable String reasonString) {
        return new DisconnectPacket(reason, null, reasonString, List.of(), null);
    }
}
