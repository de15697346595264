package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientIdentity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The owner whose quota a persistent session counts against: its user, or the address that an anonymous client connected from.
 *
 * @param isAddress whether the name is an address
 */
public record SessionOwner(boolean isAddress, String name) {
    /** The owner of a new session, or null: the administrator assigned the client id, which has one session. */
    public static @Nullable SessionOwner of(ClientIdentity identity, SocketAddress address) {
        if (identity.ownsClientId()) {
            return null;
        }
        String userName = identity.userName();
        return userName == null ? new SessionOwner(true, host(address)) : new SessionOwner(false, userName);
    }

    /** The owner of a stored session, or null: the address of an anonymous client is not stored. */
    static @Nullable SessionOwner of(SessionRecord record) {
        String userName = record.userName();
        return userName == null ? null : new SessionOwner(false, userName);
    }

    private static String host(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getHostString() : address.toString();
    }
}
