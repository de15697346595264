package io.heddle.app.wiring;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lets the broker connect to itself at start, whoever else may: a random user name and password that only this object knows and
 * that are good only while the check runs. Thread-safe.
 */
final class SelfCheckCredentials implements Authenticator {
    private final String name = "heddle-self-check-" + UUID.randomUUID();
    private final byte[] password = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    private volatile boolean good;

    /** The client id and the user name. */
    String name() {
        return name;
    }

    /** The password; read only. */
    byte[] password() {
        return password;
    }

    /** From here on the credentials are good, or are not. */
    void good(boolean good) {
        this.good = good;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials shown) {
        BinaryData shownPassword = shown.password();
        boolean itself = good
                && name.equals(shown.userName())
                && shownPassword != null
                && MessageDigest.isEqual(password, shownPassword.array());
        return itself ? new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, name)) : null;
    }
}
