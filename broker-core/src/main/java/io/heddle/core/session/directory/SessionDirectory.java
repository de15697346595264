package io.heddle.core.session.directory;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A searchable copy of the persistent sessions of the cluster, for administrators, which lags behind. The broker never reads it to decide
 * anything for a client. May block: called by the {@link SessionDirectoryWriter}'s thread and by virtual threads. Every method throws
 * {@link io.heddle.core.StoreUnavailableException} when the store does not answer; then the outcome is unknown.
 */
@Port
public interface SessionDirectory {
    /**
     * Stores entries, which replace the clients' previous entries; all or none. An entry of a later epoch stays: it was stored by the node that
     * took over from this one.
     *
     * @param entries at most one for each client
     */
    void put(List<SessionEntry> entries);

    /**
     * Removes the entries of clients; all or none. An entry of a later epoch stays.
     *
     * @param epochs the latest epochs of the clients' sessions that are known to have ended
     * @return the number of entries removed
     */
    int remove(Map<ClientId, Long> epochs);

    /**
     * Reads the stored entries page by page, in an order of the directory's own.
     *
     * @param after the last client of the previous page, whether it still has an entry or not; null for the first page
     * @param limit the highest number of entries, at least 1
     * @return empty after the last page
     */
    List<Stored> page(@Nullable ClientId after, int limit);

    /** A client's entry, or null. */
    @Nullable
    SessionEntry find(ClientId clientId);

    /** The epoch of a stored entry, and its fingerprint, which shows whether the entry is up to date. */
    record Stored(ClientId clientId, long epoch, long fingerprint) {}
}
