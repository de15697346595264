package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of CONNECT, with the standard's defaults for absent ones.
 *
 * @param sessionExpirySeconds 0 to 4,294,967,295; the maximum means that the session never expires
 * @param receiveMaximum 1 to 65,535: the number of unacknowledged QoS 1 and 2 messages that the client accepts
 * @param maximumPacketSize in bytes, 1 to 4,294,967,295: larger packets are not sent to this client [MQTT-3.1.2-24]
 * @param topicAliasMaximum 0 to 65,535: the highest topic alias that may be sent to this client
 * @param requestResponseInformation whether the client requests Response Information
 * @param requestProblemInformation whether every response may carry a Reason String and User Properties
 * @param userProperties in the client's order
 * @param authenticationMethod of enhanced authentication, or null
 * @param authenticationData or null; requires a method
 */
public record ConnectProperties(
        long sessionExpirySeconds,
        int receiveMaximum,
        long maximumPacketSize,
        int topicAliasMaximum,
        boolean requestResponseInformation,
        boolean requestProblemInformation,
        List<UserProperty> userProperties,
        @Nullable String authenticationMethod,
        @Nullable BinaryData authenticationData) {
    /** Defaults for a client that sent no properties. */
    public static final ConnectProperties NONE = new ConnectProperties(
            0,
            MqttPacket.MAXIMUM_UNSIGNED_SHORT,
            MqttPacket.MAXIMUM_UNSIGNED_INT,
            0,
            false,
            true,
            List.of(),
            null,
            null);

    public ConnectProperties {
        userProperties = List.copyOf(userProperties);
    }
}
