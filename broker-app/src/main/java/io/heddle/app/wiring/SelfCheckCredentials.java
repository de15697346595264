package io.heddle.app.wiring;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of the self-check: a random user name and password that only this object knows and that are valid only during the check.
 * Thread-safe.
 */
final class SelfCheckCredentials implements Authenticator {
    private final String name = "heddle-self-check-" + UUID.randomUUID();
    private final byte[] password = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    private volatile boolean valid;

    /** Returns the client id, which is also the user name. */
    String name() {
        return name;
    }

    /** Returns the password, which must not be modified. */
    byte[] password() {
        return password;
    }

    /** Returns whether a client id is that of the self-check, while that runs. */
    boolean isSelf(ClientId clientId) {
        return valid && name.equals(clientId.value());
    }

    void setValid(boolean valid) {
        this.valid = valid;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials shown) {
        BinaryData shownPassword = shown.password();
        boolean isSelf = valid
                && name.equals(shown.userName())
                && shownPassword != null
                && MessageDigest.isEqual(password, shownPassword.array());
        return isSelf ? new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, name)) : null;
    }
}
