package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * By credentials that an administrator stored. A client id that any of them name belongs to their bearers: no other user gets it with
 * a password of her own, and no anonymous client without one. The store is asked each time, so that credentials which were changed or
 * removed count at once. Thread-safe.
 */
public final class StoredCredentialsAuthenticator implements Authenticator {
    private static final int DECOY_BYTES = 32;

    private final CredentialsStore store;
    private final PasswordHash passwordHash;
    private final SecureRandom random;
    private final ReentrantLock decoyLock = new ReentrantLock();
    // Computed once, with the first use.
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
        if (stored == null || !stored.fit(shown.userName())) {
            if (password != null) {
                // Costs what a wrong password costs, so that the time taken does not tell which names exist.
                passwordHash.matches(password, decoy(), SignInSource.of(shown));
            }
            return stored == null ? null : refused(shown, "all credentials of the client id are other users'");
        }
        if (password == null) {
            return refused(shown, "a password is required");
        }
        if (!passwordHash.matches(password, stored.passwordHash(), SignInSource.of(shown))) {
            return new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "wrong password");
        }
        // A user name that the credentials leave open is not proved by their password.
        return new Accepted(
                new ClientIdentity(shown.clientId(), stored.type(), stored.userName(), stored.clientId() != null));
    }

    /** Clients that show nothing get one reason for all client ids, so that they do not learn which ones have credentials. */
    private static Refused refused(ConnectCredentials shown, String detail) {
        return new Refused(
                shown.isAnonymous() ? ReasonCode.NOT_AUTHORIZED : ReasonCode.BAD_USER_NAME_OR_PASSWORD, detail);
    }

    private String decoy() {
        String hash = decoy;
        if (hash != null) {
            return hash;
        }
        decoyLock.lock();
        try {
            hash = decoy;
            if (hash == null) {
                // Not to be guessed: a hash that remembers matches would answer at once when this is shown again.
                byte[] nobodysPassword = new byte[DECOY_BYTES];
                random.nextBytes(nobodysPassword);
                hash = passwordHash.hash(BinaryData.wrap(nobodysPassword));
                decoy = hash;
            }
            return hash;
        } finally {
            decoyLock.unlock();
        }
    }
}
