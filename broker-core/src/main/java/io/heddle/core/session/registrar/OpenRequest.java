package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionOwner;
import org.jspecify.annotations.Nullable;

/**
 * A client's request for its session, or that of an administrator for its end.
 *
 * @param owner whose quota a new session counts against, or null
 * @param cleanStart whether an existing session is discarded [MQTT-3.1.2-4]
 * @param expirySeconds the Session Expiry Interval; 0 for a session that ends with its connection
 * @param will of the connection, or null
 * @param node the incarnation of the node that the client is connected to
 * @param awayEpoch for an administrator: of the client's last connection; the request is refused if the client has connected since. Or {@link
 *     #ANY_EPOCH}. 0 for a client that connects
 */
public record OpenRequest(
        ClientIdentity identity,
        @Nullable SessionOwner owner,
        boolean cleanStart,
        long expirySeconds,
        @Nullable WillMessage will,
        String node,
        long awayEpoch) {
    /** An administrator ends the session in any case. */
    public static final long ANY_EPOCH = -1;

    boolean isOfAdministrator() {
        return awayEpoch != 0;
    }

    boolean mustBeAway() {
        return awayEpoch > 0;
    }

    ClientId clientId() {
        return identity.clientId();
    }
}
