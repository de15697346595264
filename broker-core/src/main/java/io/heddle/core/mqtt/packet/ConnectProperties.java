package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of CONNECT, with the standard's default where the client sent none.
 *
 * @param sessionExpirySeconds 0 to 4,294,967,295; the latter means "never"
 * @param receiveMaximum 1 to 65,535: QoS 1 and 2 messages that the client takes before it acknowledges
 * @param maximumPacketSize in bytes, 1 to 4,294,967,295: larger packets are not sent to this client [MQTT-3.1.2-24]
 * @param topicAliasMaximum 0 to 65,535: the highest alias that may be sent to this client
 * @param requestResponseInformation whether the client would like Response Information
 * @param requestProblemInformation whether Reason Strings and user properties may be sent with every answer
 * @param userProperties in the client's order
 * @param authenticationMethod of enhanced authentication, or null
 * @param authenticationData never without a method, or null
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
    /** A client that sent no properties. */
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
