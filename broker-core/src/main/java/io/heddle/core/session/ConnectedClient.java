package io.heddle.core.session;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.ConnectPacket;
import java.net.SocketAddress;

/**
 * A connected client and its connection, as an administrator sees them. Any thread may read it, without the event loop of the connection.
 *
 * @param address of the client; behind a trusted proxy, the address that the proxy reports
 * @param keepAliveSeconds in force; 0 for none
 * @param expirySeconds the Session Expiry Interval in force since CONNECT
 * @param connectedAtMillis the time of day at which the client got its session
 */
public record ConnectedClient(
        ClientIdentity identity,
        SocketAddress address,
        String listener,
        MqttVersion version,
        int keepAliveSeconds,
        long expirySeconds,
        boolean cleanStart,
        long connectedAtMillis) {
    /** Describes a client that connects now. */
    static ConnectedClient of(
            ClientIdentity identity, Connection connection, ConnectPacket connect, SessionServices services) {
        return new ConnectedClient(
                identity,
                connection.remoteAddress(),
                connection.listener(),
                connect.version(),
                ServerCapabilities.keepAliveSeconds(connect, services.settings()),
                ServerCapabilities.expirySeconds(connect, identity, services.settings()),
                connect.cleanStart(),
                services.clock().millis());
    }

    /** Shows that the client has its session, which existed before or not. On the event loop of the connection. */
    void show(Connection connection, boolean sessionPresent, ClientEvents events) {
        events.connected(connection, version, cleanStart, sessionPresent, keepAliveSeconds, expirySeconds);
    }
}
