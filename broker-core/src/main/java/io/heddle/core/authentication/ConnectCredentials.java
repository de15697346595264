package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import java.net.SocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client shows when it connects.
 *
 * @param gone whether its connection is closed, so that the outcome matters to nobody; any thread asks
 * @param mayWait whether the client has a place among those that wait for a computation
 */
public record ConnectCredentials(
        ClientId clientId,
        @Nullable String userName,
        @Nullable BinaryData password,
        SocketAddress remoteAddress,
        BooleanSupplier gone,
        boolean mayWait) {
    /** The same of a client that stays. */
    public ConnectCredentials(
            ClientId clientId, @Nullable String userName, @Nullable BinaryData password, SocketAddress remoteAddress) {
        this(clientId, userName, password, remoteAddress, () -> false, true);
    }

    /** The same without a place among those that wait. */
    ConnectCredentials withoutPlace() {
        return new ConnectCredentials(clientId, userName, password, remoteAddress, gone, false);
    }

    /** Whether the client shows neither a user name nor a password. */
    boolean isAnonymous() {
        return userName == null && password == null;
    }
}
