package io.heddle.core.session;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.session.persistent.SessionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this server offers a client, in one place: CONNACK announces it and the session keeps to it. */
final class ServerCapabilities {
    private static final boolean RETAIN_AVAILABLE = true;
    private static final boolean WILDCARD_SUBSCRIPTIONS_AVAILABLE = true;
    private static final boolean SUBSCRIPTION_IDENTIFIERS_AVAILABLE = true;
    private static final boolean SHARED_SUBSCRIPTIONS_AVAILABLE = true;

    private ServerCapabilities() {}

    /**
     * How long the session outlives its connection, in seconds. In MQTT 3.x that is for ever, unless it began clean: then it
     * ends with the connection [MQTT-3.1.2-6 in MQTT 3.1.1].
     */
    static long expirySeconds(ConnectPacket connect, SessionSettings settings) {
        return Math.min(wishedExpirySeconds(connect), settings.maximumExpirySeconds());
    }

    private static long wishedExpirySeconds(ConnectPacket connect) {
        if (connect.version().hasProperties()) {
            return connect.properties().sessionExpirySeconds();
        }
        return connect.cleanStart() ? 0 : SessionRecord.FOREVER_SECONDS;
    }

    /** The Keep Alive in force, in seconds; 0 when there is none. Only a client of MQTT 5.0 can be told another. */
    static int keepAliveSeconds(ConnectPacket connect, SessionSettings settings) {
        int wished = connect.keepAliveSeconds();
        int maximum = settings.maximumKeepAliveSeconds();
        boolean tooLong = maximum != 0 && (wished == 0 || wished > maximum);
        return tooLong && connect.version().hasProperties() ? maximum : wished;
    }

    /** The properties of a successful CONNACK. */
    static ConnAckProperties announce(
            ConnectPacket connect, @Nullable String assignedClientId, SessionSettings settings) {
        long expirySeconds = expirySeconds(connect, settings);
        int keepAliveSeconds = keepAliveSeconds(connect, settings);
        String noString = null;
        BinaryData noData = null;
        return new ConnAckProperties(
                expirySeconds == wishedExpirySeconds(connect) ? null : Long.valueOf(expirySeconds),
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
                noString,
                noData);
    }
}
