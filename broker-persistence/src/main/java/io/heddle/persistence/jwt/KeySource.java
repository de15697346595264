package io.heddle.persistence.jwt;

import java.util.List;

/** The keys that verify tokens. Thread-safe; may block for a bounded time. */
public sealed interface KeySource permits KeySet, RemoteKeys {
    /**
     * Returns the keys to try for a token; none if the token is not from the owner of the keys.
     *
     * @throws io.heddle.core.StoreUnavailableException if the keys are not known
     * @throws io.heddle.core.authentication.fairness.SignInBusyException if too many clients wait for keys
     */
    List<VerificationKey> find(Token token);
}
