package io.heddle.persistence.jwt;

import io.heddle.core.client.TokenKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the keys that verify tokens come from. Thread-safe; may block for a bounded time. */
public sealed interface KeySource extends AutoCloseable permits FileKeys, RemoteKeys {
    /**
     * Returns the keys to try for a token; none if the token is not from the owner of the keys.
     *
     * @throws io.heddle.core.StoreUnavailableException if the keys are not known
     * @throws io.heddle.core.authentication.fairness.SignInBusyException if too many clients wait for keys
     */
    List<VerificationKey> find(Token token);

    /** Gets the keys again, if that is due. Keys that cannot be used change nothing. To be called every second by one thread. */
    void refresh();

    /**
     * Returns the keys whose clients stay connected: those in use, and those that may be missing by mistake; null if none are known yet. A key that
     * was in the set and is not there any more is removed.
     */
    @Nullable
    Set<TokenKey> valid();

    @Override
    void close();
}
