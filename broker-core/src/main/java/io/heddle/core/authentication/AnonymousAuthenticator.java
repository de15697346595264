package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Accepts clients without user name and password, if anonymous access is allowed. A client with either of them is left to the other
 * authenticators. If no credentials are stored, no authenticator could verify the client, so it is treated as anonymous. Thread-safe.
 */
public final class AnonymousAuthenticator implements Authenticator {
    private final CredentialsLookup store;
    private final Predicate<String> allowed;
    private final List<ClientIdPattern> applicationClients;

    /**
     * @param store asked whether any credentials are stored
     * @param allowed whether a listener accepts anonymous clients, evaluated at each CONNECT; false leaves the client to the other
     *     authenticators
     * @param applicationClients patterns of client ids that become APPLICATION clients; all others become DEVICE clients
     */
    public AnonymousAuthenticator(
            CredentialsLookup store, Predicate<String> allowed, List<ClientIdPattern> applicationClients) {
        this.store = store;
        this.allowed = allowed;
        this.applicationClients = List.copyOf(applicationClients);
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        if (!allowed.test(credentials.listener())) {
            return null;
        }
        if (!credentials.isAnonymous() && !store.isEmpty()) {
            return null;
        }
        ClientType type = ClientType.DEVICE;
        for (ClientIdPattern pattern : applicationClients) {
            if (pattern.matches(credentials.clientId())) {
                type = ClientType.APPLICATION;
            }
        }
        return new Accepted(new ClientIdentity(credentials.clientId(), type, null));
    }
}
