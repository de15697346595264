package io.heddle.core.authentication;

import io.heddle.core.RemoteNetwork;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientCertificate;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import java.net.SocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * @param gone whether the client's connection is closed, so that the outcome no longer matters; any thread
 * @param mayWait whether the client may wait for its turn, for example to compute a hash
 * @param certificate which TLS has verified, or null if the client has shown none
 * @param listener the name of the listener that accepted the connection
 */
public record ConnectCredentials(
        ClientId clientId,
        @Nullable String userName,
        @Nullable BinaryData password,
        SocketAddress remoteAddress,
        BooleanSupplier gone,
        boolean mayWait,
        @Nullable ClientCertificate certificate,
        String listener) {
    public ConnectCredentials(
            ClientId clientId, @Nullable String userName, @Nullable BinaryData password, SocketAddress remoteAddress) {
        this(clientId, userName, password, remoteAddress, () -> false, true, null, "");
    }

    /** Returns a copy that may not wait for its turn. */
    ConnectCredentials withoutWaiting() {
        return new ConnectCredentials(clientId, userName, password, remoteAddress, gone, false, certificate, listener);
    }

    /** Returns a copy with another password. */
    ConnectCredentials withPassword(@Nullable BinaryData other) {
        return new ConnectCredentials(clientId, userName, other, remoteAddress, gone, mayWait, certificate, listener);
    }

    /** Returns a copy with the user name that the client claims in an exchange; null keeps that of CONNECT. */
    public ConnectCredentials claiming(@Nullable String claimed) {
        return claimed == null
                ? this
                : new ConnectCredentials(
                        clientId, claimed, password, remoteAddress, gone, mayWait, certificate, listener);
    }

    /** Returns the source, for limits that are fair by network and by name. */
    public SignInSource signInSource() {
        // The prefixes keep user names and client ids apart: they are limited and delayed separately.
        String name = userName != null ? "user " + userName : "client " + clientId.value();
        return new SignInSource(RemoteNetwork.of(remoteAddress), name, gone, mayWait);
    }

    /** Returns whether there is neither a user name nor a password. */
    boolean isAnonymous() {
        return userName == null && password == null;
    }
}
