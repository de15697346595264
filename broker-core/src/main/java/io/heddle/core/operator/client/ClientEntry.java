package io.heddle.core.operator.client;

import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
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

    public ClientState state() {
        return connection == null ? ClientState.AWAY : ClientState.CONNECTED;
    }
}
