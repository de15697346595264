package io.heddle.core.client;

import org.jspecify.annotations.Nullable;

/**
 * Who a connected client is, as its authentication established it.
 *
 * @param userName the name it proved, or null for an anonymous client and for one that proved its client id only
 * @param ownsClientId whether an administrator assigned the client id to it: its credentials name the client id
 */
public record ClientIdentity(
        ClientId clientId, ClientType type, @Nullable String userName, boolean ownsClientId) {
    /** A client whose client id was not assigned to it. */
    public ClientIdentity(ClientId clientId, ClientType type, @Nullable String userName) {
        this(clientId, type, userName, false);
    }

    /**
     * Whether this client may end a session with its client id that belongs to another user, or disconnect that session's client. A
     * session without a user belongs to nobody.
     *
     * @param otherUserName the user of the session, or null when it has none
     */
    public boolean mayReplaceSessionOf(@Nullable String otherUserName) {
        return ownsClientId || otherUserName == null || otherUserName.equals(userName);
    }
}
