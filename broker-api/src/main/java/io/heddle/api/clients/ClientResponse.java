package io.heddle.api.clients;

import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.operator.client.ClientState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of a client in a list. The fields about a connection are null while the client is away.
 *
 * @param type DEVICE or APPLICATION
 * @param userName by which the client was authenticated; null for an anonymous client
 * @param state CONNECTED or AWAY
 * @param node id of the node that has the connection
 * @param address host and port of the client; behind a trusted proxy, those that the proxy reports
 * @param protocolVersion 3.1, 3.1.1 or 5.0
 * @param keepAliveSeconds in force; 0 for none
 * @param expirySeconds the Session Expiry Interval; 0 if the session ends with the connection, 4294967295 if it never expires
 * @param awaySince null while the client is connected
 */
record ClientResponse(
        String clientId,
        String type,
        @Nullable String userName,
        String state,
        @Nullable String node,
        @Nullable String listener,
        @Nullable String address,
        @Nullable String protocolVersion,
        @Nullable Integer keepAliveSeconds,
        long expirySeconds,
        @Nullable Boolean cleanStart,
        @Nullable Instant connectedAt,
        @Nullable Instant awaySince) {
    static ClientResponse of(ClientEntry client) {
        Instant since = Instant.ofEpochMilli(client.sinceMillis());
        ClientLink link = client.connection();
        if (link == null) {
            return new ClientResponse(
                    client.clientId(),
                    client.type().name(),
                    client.userName(),
                    ClientState.AWAY.name(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    client.expirySeconds(),
                    null,
                    null,
                    since);
        }
        return new ClientResponse(
                client.clientId(),
                client.type().name(),
                client.userName(),
                ClientState.CONNECTED.name(),
                link.nodeId(),
                link.listener(),
                link.address(),
                link.version().text(),
                link.keepAliveSeconds(),
                client.expirySeconds(),
                link.cleanStart(),
                since,
                null);
    }
}
