package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where it is allowed, lets in whoever shows neither a user name nor a password. A client that shows either wants it checked and is
 * left to the other ways, unless nobody has stored any credentials: then there is nothing to check it with, and it is as anonymous
 * as the others. Thread-safe.
 */
public final class AnonymousAuthenticator implements Authenticator {
    private final CredentialsStore store;
    private final BooleanSupplier allowed;
    private final List<ClientIdPattern> applicationClients;

    /**
     * Anonymous access.
     *
     * @param store asked whether there is anything to check a name or a password with
     * @param allowed asked at each CONNECT; false leaves every client to the other ways
     * @param applicationClients whose client ids become APPLICATION clients; all others are devices
     */
    public AnonymousAuthenticator(
            CredentialsStore store, BooleanSupplier allowed, List<ClientIdPattern> applicationClients) {
        this.store = store;
        this.allowed = allowed;
        this.applicationClients = List.copyOf(applicationClients);
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials shown) {
        if (!allowed.getAsBoolean()) {
            return null;
        }
        if (!shown.isAnonymous() && !store.isEmpty()) {
            return null;
        }
        ClientType type = ClientType.DEVICE;
        for (ClientIdPattern pattern : applicationClients) {
            if (pattern.matches(shown.clientId())) {
                type = ClientType.APPLICATION;
            }
        }
        return new Accepted(new ClientIdentity(shown.clientId(), type, null));
    }
}
