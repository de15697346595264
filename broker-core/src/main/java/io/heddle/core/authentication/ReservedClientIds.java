package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * Keeps client ids that stored credentials name from clients of a method that does not read the stored credentials. Such a client gets one only
 * if its method has proved the client id. Thread-safe.
 */
public final class ReservedClientIds implements Authenticator {
    private final Authenticator method;
    private final CredentialsLookup store;

    public ReservedClientIds(Authenticator method, CredentialsLookup store) {
        this.method = method;
        this.store = store;
    }

    @Override
    public boolean mayApply(ConnectCredentials credentials) {
        return method.mayApply(credentials);
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        AuthenticationOutcome outcome = method.authenticate(credentials);
        if (!(outcome instanceof Accepted accepted) || accepted.identity().ownsClientId()) {
            return outcome;
        }
        StoredCredentials stored = store.findForOthers(credentials.clientId(), credentials.userName());
        return stored == null || stored.clientId() == null
                ? outcome
                : new Refused(ReasonCode.NOT_AUTHORIZED, "the client id is reserved by stored credentials");
    }
}
