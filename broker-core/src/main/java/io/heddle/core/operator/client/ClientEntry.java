package io.heddle.core.operator.client;

import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.session.ConnectedClient;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A client in a list.
 *
 * @param userName by which it was authenticated, or null
 * @param expirySeconds the Session Expiry Interval; 0 for a session that ends with its connection
 * @param sinceMillis the time of day at which it connected, or since which it is away, in milliseconds since 1970
 * @param connection null while the client is away
 */
public record ClientEntry(
        String clientId,
        ClientType type,
        @Nullable String userName,
        long expirySeconds,
        long sinceMillis,
        @Nullable ClientLink connection) {
    /**
     * The connection of a client.
     *
     * @param nodeId of the node that has the connection
     * @param address the host and the port of the client; behind a trusted proxy, those that the proxy reports
     * @param keepAliveSeconds in force; 0 for none
     */
    public record ClientLink(
            String nodeId,
            String address,
            String listener,
            MqttVersion version,
            int keepAliveSeconds,
            boolean cleanStart) {}

    /** @param nodeId of this node, to which the client is connected */
    static ClientEntry of(ConnectedClient client, String nodeId) {
        return new ClientEntry(
                client.identity().clientId().value(),
                client.identity().type(),
                client.identity().userName(),
                client.expirySeconds(),
                client.connectedAtMillis(),
                new ClientLink(
                        nodeId,
                        text(client.address()),
                        client.listener(),
                        client.version(),
                        client.keepAliveSeconds(),
                        client.cleanStart()));
    }

    private static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet) || internet.isUnresolved()) {
            return address.toString();
        }
        String host = internet.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + internet.getPort();
    }

    public ClientState state() {
        return connection == null ? ClientState.AWAY : ClientState.CONNECTED;
    }
}
