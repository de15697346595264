package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What a client shows when it connects. */
public record ConnectCredentials(
        ClientId clientId,
        @Nullable String userName,
        @Nullable BinaryData password,
        SocketAddress remoteAddress) {
    /** Whether the client shows neither a user name nor a password. */
    boolean isAnonymous() {
        return userName == null && password == null;
    }
}
