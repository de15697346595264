package io.heddle.core.authentication;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store of client credentials. May block: called on virtual threads only. Every method throws
 * {@link io.heddle.core.StoreUnavailableException} if the store does not answer.
 */
@Port
public interface CredentialsStore {
    /**
     * Returns the credentials that decide about a client. Credentials that name its client id come first: those with its user name, then
     * those for any user name, then those with another user name, because they reserve the client id. If no credentials name the client id,
     * the credentials for the user name decide.
     *
     * @return null if there are none; credentials with another user name never match the client, whatever its password
     */
    @Nullable
    StoredCredentials find(ClientId clientId, @Nullable String userName);

    /** Stores credentials, replacing those for the same client id and user name. */
    void put(StoredCredentials credentials);

    /**
     * Removes the credentials for exactly this client id and user name.
     *
     * @return whether credentials were removed
     */
    boolean remove(@Nullable ClientId clientId, @Nullable String userName);

    /**
     * Returns a page of all credentials, ordered by user name and client id.
     *
     * @param offset the number to skip, at least 0
     * @param limit the maximum number, at least 1
     */
    List<StoredCredentials> list(int offset, int limit);

    /** Returns whether no credentials are stored, in constant time. */
    boolean isEmpty();

    long count();
}
