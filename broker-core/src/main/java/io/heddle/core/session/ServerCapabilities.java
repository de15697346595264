package io.heddle.core.session;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this server offers, said in one place: CONNACK announces it and the session enforces it. */
final class ServerCapabilities {
    /** The highest QoS of a PUBLISH, a will or a granted subscription. */
    static final QoS MAXIMUM_QOS = QoS.AT_MOST_ONCE;

    /** Whether retained messages are kept. */
    static final boolean RETAIN_AVAILABLE = false;

    /** Whether subscriptions may carry an identifier. */
    static final boolean SUBSCRIPTION_IDENTIFIERS_AVAILABLE = true;

    /** Whether several clients may share a subscription. */
    static final boolean SHARED_SUBSCRIPTIONS_AVAILABLE = false;

    /** The longest that a session may outlive its connection, in seconds. */
    private static final long MAXIMUM_SESSION_EXPIRY_SECONDS = 0;

    private static final int TOPIC_ALIAS_MAXIMUM = 0;

    private ServerCapabilities() {}

    /** The properties of a successful CONNACK. */
    static ConnAckProperties announce(
            ConnectPacket connect, @Nullable String assignedClientId, SessionSettings settings) {
        boolean expiryLowered = connect.properties().sessionExpirySeconds() > MAXIMUM_SESSION_EXPIRY_SECONDS;
        String noString = null;
        BinaryData noData = null;
        return new ConnAckProperties(
                expiryLowered ? Long.valueOf(MAXIMUM_SESSION_EXPIRY_SECONDS) : null,
                MqttPacket.MAXIMUM_UNSIGNED_SHORT,
                MAXIMUM_QOS,
                RETAIN_AVAILABLE,
                settings.maximumPacketSize(),
                assignedClientId,
                TOPIC_ALIAS_MAXIMUM,
                noString,
                List.of(),
                true,
                SUBSCRIPTION_IDENTIFIERS_AVAILABLE,
                SHARED_SUBSCRIPTIONS_AVAILABLE,
                null,
                noString,
                noString,
                noString,
                noData);
    }
}
