package io.heddle.core.session;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.session.persistent.SessionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The capabilities of this server, in one place: CONNACK announces them and the session applies them. */
final class ServerCapabilities {
    private static final boolean RETAIN_AVAILABLE = true;
    private static final boolean WILDCARD_SUBSCRIPTIONS_AVAILABLE = true;
    private static final boolean SUBSCRIPTION_IDENTIFIERS_AVAILABLE = true;
    private static final boolean SHARED_SUBSCRIPTIONS_AVAILABLE = true;

    private ServerCapabilities() {}

    /**
     * The Session Expiry Interval in seconds. A session of MQTT 3.x that began clean ends with the connection [MQTT-3.1.2-6 in MQTT 3.1.1].
     * Others expire although MQTT 3.x has no interval: clients with random ids never come back. A client id that an administrator has
     * assigned comes back.
     */
    static long expirySeconds(ConnectPacket connect, ClientIdentity identity, SessionSettings settings) {
        long maximum = connect.version().hasProperties() || identity.ownsClientId()
                ? settings.maximumExpirySeconds()
                : Math.min(settings.version3ExpirySeconds(), settings.maximumExpirySeconds());
        return Math.min(requestedExpirySeconds(connect), maximum);
    }

    /**
     * The Session Expiry Interval from DISCONNECT on, in seconds.
     *
     * @throws ProtocolException for an interval other than 0 after that of CONNECT was 0 (MQTT 5.0, section 3.14.2.2.2)
     */
    static long expirySeconds(DisconnectPacket packet, long beforeSeconds, SessionSettings settings) {
        Long seconds = packet.sessionExpirySeconds();
        if (seconds == null) {
            return beforeSeconds;
        }
        if (seconds != 0 && beforeSeconds == 0) {
            throw new ProtocolException(
                    ReasonCode.PROTOCOL_ERROR,
                    "DISCONNECT may not set an expiry interval when that of CONNECT was zero");
        }
        return Math.min(seconds, settings.maximumExpirySeconds());
    }

    private static long requestedExpirySeconds(ConnectPacket connect) {
        if (connect.version().hasProperties()) {
            return connect.properties().sessionExpirySeconds();
        }
        return connect.cleanStart() ? 0 : SessionRecord.FOREVER_SECONDS;
    }

    /** The Keep Alive in force, in seconds; 0 for none. Only MQTT 5.0 can announce another one to the client. */
    static int keepAliveSeconds(ConnectPacket connect, SessionSettings settings) {
        int requested = connect.keepAliveSeconds();
        int maximum = settings.maximumKeepAliveSeconds();
        boolean tooLong = maximum != 0 && (requested == 0 || requested > maximum);
        return tooLong && connect.version().hasProperties() ? maximum : requested;
    }

    static ConnAckProperties announce(
            ConnectPacket connect, @Nullable String assignedClientId, Accepted accepted, SessionSettings settings) {
        long expirySeconds = expirySeconds(connect, accepted.identity(), settings);
        int keepAliveSeconds = keepAliveSeconds(connect, settings);
        String noString = null;
        return new ConnAckProperties(
                expirySeconds == requestedExpirySeconds(connect) ? null : Long.valueOf(expirySeconds),
                settings.receiveMaximum(),
                QoS.EXACTLY_ONCE,
                RETAIN_AVAILABLE,
                settings.maximumPacketSize(),
                assignedClientId,
                settings.topicAliasMaximum(),
                noString,
                List.of(),
                WILDCARD_SUBSCRIPTIONS_AVAILABLE,
                SUBSCRIPTION_IDENTIFIERS_AVAILABLE,
                SHARED_SUBSCRIPTIONS_AVAILABLE,
                keepAliveSeconds == connect.keepAliveSeconds() ? null : Integer.valueOf(keepAliveSeconds),
                noString,
                noString,
                connect.properties().authenticationMethod(), // [MQTT-4.12.0-5]
                accepted.data());
    }
}
