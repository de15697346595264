package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * By credentials that an administrator stored. Credentials for a client id apply even to a client that shows no password:
 * otherwise an anonymous client could take over a name that is protected by one. The store is asked each time, so that credentials
 * which were changed or removed count at once. Thread-safe.
 */
public final class StoredCredentialsAuthenticator implements Authenticator {
    private static final int DECOY_BYTES = 32;

    private final CredentialsStore store;
    private final PasswordHash passwordHash;
    private final SecureRandom random;
    // Computed with the first use; two threads may both do it, with the same effect.
    private volatile @Nullable String decoy;

    /** Over stored credentials, whose hashes {@code passwordHash} made. */
    public StoredCredentialsAuthenticator(CredentialsStore store, PasswordHash passwordHash, SecureRandom random) {
        this.store = store;
        this.passwordHash = passwordHash;
        this.random = random;
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
            // Not to be guessed: a hash that remembers matches would answer at once when this is shown again.
            byte[] nobodysPassword = new byte[DECOY_BYTES];
            random.nextBytes(nobodysPassword);
            hash = passwordHash.hash(BinaryData.wrap(nobodysPassword));
            decoy = hash;
        }
        return hash;
    }
}
