package io.heddle.core.client;

import org.jspecify.annotations.Nullable;

/**
 * The authenticated identity of a connected client.
 *
 * @param userName the authenticated user name, or null for an anonymous client and for one that only proved its client id
 * @param ownsClientId whether its credentials name the client id, so that an administrator has assigned it
 * @param proof with which the client has signed in to this node; null if it cannot be withdrawn, and at other nodes
 */
public record ClientIdentity(
        ClientId clientId,
        ClientType type,
        @Nullable String userName,
        boolean ownsClientId,
        @Nullable SignInProof proof) {
    /** Creates the identity of a client without stored credentials, or of a client of another node. */
    public ClientIdentity(ClientId clientId, ClientType type, @Nullable String userName, boolean ownsClientId) {
        this(clientId, type, userName, ownsClientId, null);
    }

    /** Creates the identity of a client whose credentials do not name its client id. */
    public ClientIdentity(ClientId clientId, ClientType type, @Nullable String userName) {
        this(clientId, type, userName, false, null);
    }

    /**
     * Returns whether this client may end a session with its client id that belongs to another user, or disconnect that session's
     * client. A session without a user may be replaced by any client.
     *
     * @param otherUserName the user of the session, or null if it has none
     */
    public boolean mayReplaceSessionOf(@Nullable String otherUserName) {
        return ownsClientId || otherUserName == null || otherUserName.equals(userName);
    }
}
