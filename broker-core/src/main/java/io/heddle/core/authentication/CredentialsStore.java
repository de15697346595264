package io.heddle.core.authentication;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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

    /** Returns the credentials with this id, or null. */
    @Nullable
    StoredCredentials get(UUID id);

    /** Returns those of the credentials that exist. */
    List<StoredCredentials> get(Collection<UUID> ids);

    /** Returns a page of credentials in the order of the query. */
    List<StoredCredentials> page(CredentialsQuery query);

    /**
     * Stores credentials unless there are some for the same client id and user name.
     *
     * @return whether they were stored
     */
    boolean create(StoredCredentials credentials);

    /**
     * Replaces credentials.
     *
     * @param before the credentials as they were read
     * @param after the new ones, with the same id
     * @return {@link CredentialsChange#ABSENT} if the store does not have {@code before} any more
     */
    CredentialsChange update(StoredCredentials before, StoredCredentials after);

    /**
     * Replaces a password hash by another one of the same password, unless the credentials have changed. Their version stays.
     *
     * @param before the credentials as they were read
     */
    void renew(StoredCredentials before, String passwordHash);

    /** Removes credentials, and returns whether they existed. */
    boolean remove(UUID id);

    /**
     * Stores many credentials. They have different names.
     *
     * @param replace whether credentials replace those for the same names, which then get the new id; otherwise they are not stored
     * @return the ids of the stored credentials
     */
    Set<UUID> putAll(Collection<StoredCredentials> credentials, boolean replace);
}
