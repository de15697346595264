package io.heddle.core.client;

import org.jspecify.annotations.Nullable;

/**
 * The names under which the packets of one connection are watched: those that CONNECT claims, and those of the identity once it is proven. Owned
 * by the event loop of the connection.
 */
public final class ClientNames {
    private String clientId = "";
    private @Nullable String userName;

    /** Sets the names; the client id is empty if there is none. */
    public void set(String newClientId, @Nullable String newUserName) {
        clientId = newClientId;
        userName = newUserName;
    }

    String clientId() {
        return clientId;
    }

    @Nullable
    String userName() {
        return userName;
    }
}
