package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stored credentials of a client that connects. May block: called on virtual threads only. Every method throws {@link
 * io.heddle.core.StoreUnavailableException} if the store does not answer and what is known does not suffice.
 */
public interface CredentialsLookup {
    /**
     * Returns the credentials that decide about a client. Credentials that name its client id come first: those with its user name, then
     * those for any user name, then those with another user name, because they reserve the client id. If no credentials name the client id,
     * the credentials for the user name decide.
     *
     * @return null if there are none; credentials with another user name never match the client, whatever its password
     */
    @Nullable
    StoredCredentials find(ClientId clientId, @Nullable String userName);

    /**
     * Returns credentials that were {@linkplain #keep kept}, without asking the store; null if there are none. A change may be missing for two
     * seconds: use the credentials only to accept a client, never to refuse one.
     */
    default @Nullable StoredCredentials findRecent(ClientId clientId, @Nullable String userName) {
        return null;
    }

    /** Returns the number of changes of the store so far, for {@link #keep}. */
    default long changeCount() {
        return 0;
    }

    /**
     * Keeps credentials that a client has proved, for {@link #findRecent}. Unproved ones must not be kept: strangers could fill the memory.
     *
     * @param proved from {@link #find} for these names; they {@linkplain StoredCredentials#fit fit} them
     * @param before {@link #changeCount} before they were read; after a change they are not kept
     */
    default void keep(StoredCredentials proved, ClientId clientId, @Nullable String userName, long before) {}

    /**
     * Returns the same as {@link #find}, for a client that needs none: it shows no password, or another method has proved it. Asks the store only about names that some credentials may have, so
     * that other clients connect while it is away. New credentials may be missing for two seconds.
     */
    default @Nullable StoredCredentials findForOthers(ClientId clientId, @Nullable String userName) {
        return find(clientId, userName);
    }

    /** Returns whether no credentials are stored. New ones may be missing for two seconds. */
    boolean isEmpty();

    /**
     * Replaces a password hash by another one of the same password, unless the credentials have changed. Their version stays.
     *
     * @param before the credentials as they were read
     */
    void renew(StoredCredentials before, String passwordHash);
}
