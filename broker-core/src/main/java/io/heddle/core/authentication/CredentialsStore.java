package io.heddle.core.authentication;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where client credentials are kept. May block: called on virtual threads only. Every method throws {@link
 * io.heddle.core.StoreUnavailableException} when the store does not answer.
 */
@Port
public interface CredentialsStore {
    /**
     * The credentials that decide about a client. If any name its client id: those for its user name as well, else those for any user
     * name, else one of those for another user name, because the client id is not free then. If none names its client id: those for
     * its user name.
     *
     * @return null when there are none; credentials with another user name do not fit the client, whatever its password
     */
    @Nullable
    StoredCredentials find(ClientId clientId, @Nullable String userName);

    /** Stores credentials; those for the same client id and user name are replaced. */
    void put(StoredCredentials credentials);

    /**
     * Removes the credentials for exactly this client id and user name.
     *
     * @return whether there were any
     */
    boolean remove(@Nullable ClientId clientId, @Nullable String userName);

    /**
     * A page of all credentials, ordered by user name and client id.
     *
     * @param offset how many to skip, at least 0
     * @param limit how many at most, at least 1
     */
    List<StoredCredentials> list(int offset, int limit);

    /** Whether nobody has stored any. Costs the same however many there are. */
    boolean isEmpty();

    /** How many credentials there are. */
    long count();
}
