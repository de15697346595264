package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.packet.WillMessage;
import java.net.SocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client's request for its session.
 *
 * @param address that the client connected from
 * @param cleanStart whether an existing session is discarded [MQTT-3.1.2-4]
 * @param expirySeconds the Session Expiry Interval; 0 for a session that ends with its connection
 * @param will of the connection, or null
 * @param eventLoop owns the connection
 * @param abandoned whether the client has lost its connection; on the event loop of the connection
 */
public record OpenRequest(
        ClientIdentity identity,
        SocketAddress address,
        boolean cleanStart,
        long expirySeconds,
        @Nullable WillMessage will,
        EventLoop eventLoop,
        BooleanSupplier abandoned) {
    ClientId clientId() {
        return identity.clientId();
    }
}
