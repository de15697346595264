package io.heddle.core.authentication;

import org.jspecify.annotations.Nullable;

/** One method of authentication. Authenticators run in a fixed order; the first with an answer decides. */
public interface Authenticator {
    /**
     * Decides, or leaves the decision to the next authenticator. May block: called on a virtual thread.
     *
     * @return the decision, or null if this method does not apply to the credentials
     * @throws io.heddle.core.StoreUnavailableException if a required store does not answer
     */
    @Nullable
    AuthenticationOutcome authenticate(ConnectCredentials credentials);
}
