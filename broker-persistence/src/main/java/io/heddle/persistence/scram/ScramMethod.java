package io.heddle.persistence.scram;

import io.heddle.core.authentication.CredentialsLookup;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** SCRAM with one hash function, over the stored credentials that have a {@link ScramVerifier}. Thread-safe. */
public final class ScramMethod implements EnhancedMethod {
    private static final int NONCE_BYTES = 24;

    private final ScramAlgorithm algorithm;
    private final CredentialsLookup store;
    private final Decoys decoys;
    private final Supplier<String> nonces;

    /** @param clusterId returns the id of the cluster, which clients must not know; asked once, may block */
    public ScramMethod(
            ScramAlgorithm algorithm, CredentialsLookup store, Supplier<UUID> clusterId, SecureRandom random) {
        this(algorithm, store, clusterId, () -> nonce(random));
    }

    ScramMethod(ScramAlgorithm algorithm, CredentialsLookup store, Supplier<UUID> clusterId, Supplier<String> nonces) {
        this.algorithm = algorithm;
        this.store = store;
        this.decoys = new Decoys(clusterId);
        this.nonces = nonces;
    }

    private static String nonce(SecureRandom random) {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public String name() {
        return algorithm.mechanism();
    }

    @Override
    public Exchange begin() {
        return new ScramExchange(this);
    }

    String nonce() {
        return nonces.get();
    }

    /** Returns the credentials by which a client may sign in as this user, or null. */
    @Nullable
    StoredCredentials find(ClientId clientId, String userName) {
        StoredCredentials found = store.find(clientId, ScramVerifier.prepared(userName));
        return found != null && found.fit(ScramVerifier.prepared(userName)) ? found : null;
    }

    /** Returns the verifier of credentials, or a decoy if they have none for this algorithm, or there are none. */
    ScramVerifier verifier(@Nullable StoredCredentials found, String userName) {
        // Computed in each case, so that the time does not tell.
        ScramVerifier decoy = decoys.of(algorithm, userName);
        ScramVerifier verifier = found == null ? null : ScramVerifier.parse(found.passwordHash());
        return verifier == null || verifier.algorithm() != algorithm ? decoy : verifier;
    }
}
