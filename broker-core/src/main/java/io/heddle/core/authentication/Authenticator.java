package io.heddle.core.authentication;

import org.jspecify.annotations.Nullable;

/**
 * One method of authentication. Authenticators run in a fixed order; the first with an answer decides. A method limits the time of its answer
 * by itself.
 */
public interface Authenticator {
    /** Returns false if this method certainly does not apply. Takes no time that matters: nothing is computed, asked or awaited. */
    default boolean mayApply(ConnectCredentials credentials) {
        return true;
    }

    /**
     * Decides, or leaves the decision to the next authenticator. May block: called on a virtual thread.
     *
     * @return the decision, or null if this method does not apply to the credentials
     * @throws io.heddle.core.StoreUnavailableException if a required store or server does not answer in time
     */
    @Nullable
    AuthenticationOutcome authenticate(ConnectCredentials credentials);
}
