package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;

/** The connections of clients, on this node and on others. Thread-safe, never blocks. */
@FunctionalInterface
public interface ConnectedClients {
    /**
     * Closes a connection because its client has connected again [MQTT-3.1.4-3]. Its {@link Departure} follows. Does nothing if the
     * connection has ended.
     *
     * @param node the incarnation of the node with the connection
     * @param epoch of the connection
     */
    void close(String node, ClientId clientId, long epoch);
}
