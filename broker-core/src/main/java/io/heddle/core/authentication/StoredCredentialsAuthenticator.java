package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * By credentials that an administrator stored. Credentials for a client id apply even to a client that shows no password:
 * otherwise an anonymous client could take over a name that is protected by one. Thread-safe.
 */
public final class StoredCredentialsAuthenticator implements Authenticator {
    private final CredentialsStore store;
    private final PasswordHash passwordHash;
    // Computed with the first use; two threads may both do it, with the same effect.
    private volatile @Nullable String decoy;

    /** Over stored credentials, whose hashes {@code passwordHash} made. */
    public StoredCredentialsAuthenticator(CredentialsStore store, PasswordHash passwordHash) {
        this.store = store;
        this.passwordHash = passwordHash;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials shown) {
        StoredCredentials stored = store.find(shown.clientId(), shown.userName());
        BinaryData password = shown.password();
        if (stored == null) {
            if (password != null) {
                // Costs what a wrong password costs, so that the time taken does not tell which names exist.
                passwordHash.matches(password, decoy());
            }
            return null;
        }
        if (password == null) {
            return new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "a password is required");
        }
        if (!passwordHash.matches(password, stored.passwordHash())) {
            return new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "wrong password");
        }
        return new Accepted(new ClientIdentity(shown.clientId(), stored.type(), shown.userName()));
    }

    private String decoy() {
        String hash = decoy;
        if (hash == null) {
            hash = passwordHash.hash(BinaryData.wrap(new byte[] {0}));
            decoy = hash;
        }
        return hash;
    }
}
