package io.heddle.core.authentication;

import org.jspecify.annotations.Nullable;

/** One way of telling who a client is. Several are asked in a set order; the first that has an answer decides. */
public interface Authenticator {
    /**
     * Decides, or leaves it to the next. May block: called on a virtual thread.
     *
     * @return the decision, or null when this way does not apply to what the client showed
     * @throws io.heddle.core.StoreUnavailableException when a store that must be asked does not answer
     */
    @Nullable
    AuthenticationOutcome authenticate(ConnectCredentials shown);
}
