package io.heddle.core.authentication;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates clients with credentials stored by an administrator. A client id named in any credentials is reserved for them:
 * neither another user with a valid password nor an anonymous client can use it. The store is queried unless the client shows the password with
 * which it has signed in lately; {@link io.heddle.core.session.CredentialsWatch} disconnects clients whose credentials have changed. Thread-safe.
 */
public final class StoredCredentialsAuthenticator implements Authenticator {
    private static final Logger log = LoggerFactory.getLogger(StoredCredentialsAuthenticator.class);
    private static final int DECOY_BYTES = 32;

    private final CredentialsLookup store;
    private final PasswordHash passwordHash;
    private final SecureRandom random;
    private final ReentrantLock decoyLock = new ReentrantLock();
    // Computed on first use.
    private volatile @Nullable String decoy;

    public StoredCredentialsAuthenticator(CredentialsLookup store, PasswordHash passwordHash, SecureRandom random) {
        this.store = store;
        this.passwordHash = passwordHash;
        this.random = random;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        BinaryData password = credentials.password();
        if (password != null) {
            StoredCredentials recent = store.findRecent(credentials.clientId(), credentials.userName());
            if (recent != null
                    && passwordHash.isRemembered(password, recent.passwordHash())
                    && passwordHash.matches(password, recent.passwordHash(), credentials.signInSource())) {
                return recent.accept(credentials.clientId(), null);
            }
        }
        long changes = store.changeCount();
        StoredCredentials stored = password != null
                ? store.find(credentials.clientId(), credentials.userName())
                : store.findForOthers(credentials.clientId(), credentials.userName());
        if (stored == null || !stored.fit(credentials.userName())) {
            if (password != null) {
                // Takes as long as a wrong password, so that timing does not reveal which names exist.
                passwordHash.matches(password, decoy(), credentials.signInSource());
            }
            return stored == null ? null : refused(credentials, "the client id belongs to other users");
        }
        if (password == null) {
            return refused(credentials, "a password is required");
        }
        if (!passwordHash.matches(password, stored.passwordHash(), credentials.signInSource())) {
            return new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "wrong password");
        }
        store.keep(stored, credentials.clientId(), credentials.userName(), changes);
        renewHash(stored, password);
        return stored.accept(credentials.clientId(), null);
    }

    /** Replaces a hash of other software. Without success, the next sign-in tries again. */
    private void renewHash(StoredCredentials stored, BinaryData password) {
        try {
            String renewed = passwordHash.renew(password, stored.passwordHash());
            if (renewed != null) {
                store.renew(stored, renewed);
            }
        } catch (StoreUnavailableException e) {
            log.debug("Could not renew a password hash: {}", stored, e);
        }
    }

    /** Clients without credentials get the same reason for every client id, so that they do not learn which ones are reserved. */
    private static Refused refused(ConnectCredentials credentials, String detail) {
        return new Refused(
                credentials.isAnonymous() ? ReasonCode.NOT_AUTHORIZED : ReasonCode.BAD_USER_NAME_OR_PASSWORD, detail);
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
                // Must not be guessable: a hash that remembers matches would answer this password immediately the
                // next time.
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
