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
public interface CredentialsStore extends CredentialsLookup {
    /** The names of the credentials with an id. */
    record Names(
            UUID id, @Nullable ClientId clientId, @Nullable String userName) {}

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

    /**
     * Returns the names of all credentials in pages, in the order of their ids.
     *
     * @param after the last id of the page before, or null for the first page
     * @param limit the maximum number, at least 1
     */
    List<Names> names(@Nullable UUID after, int limit);

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
