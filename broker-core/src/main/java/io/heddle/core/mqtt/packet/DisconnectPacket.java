package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DISCONNECT: the last packet of a connection. A server sends it only in MQTT 5.0.
 *
 * @param reason {@link ReasonCode#SUCCESS} is a normal disconnection, which discards the will [MQTT-3.14.4-3]
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
    /** Creates a DISCONNECT with a reason and no other properties. */
    public static DisconnectPacket of(ReasonCode reason, @Nullable String reasonString) {
        return new DisconnectPacket(reason, null, reasonString, List.of(), null);
    }

    /** Creates a server's DISCONNECT that sends the client to another server, which is named if the reference is not null. */
    public static DisconnectPacket toAnotherServer(String reasonString, @Nullable String serverReference) {
        return new DisconnectPacket(ReasonCode.USE_ANOTHER_SERVER, null, reasonString, List.of(), serverReference);
    }

    /** Returns this packet with another reason. */
    public DisconnectPacket with(ReasonCode other) {
        return other == reason
                ? this
                : new DisconnectPacket(other, sessionExpirySeconds, reasonString, userProperties, serverReference);
    }
}
