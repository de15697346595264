package io.heddle.core.session.directory;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the persistent sessions of the cluster can be searched: a picture for people, written behind. Nothing that a client is
 * answered or sent is decided by it. May block: called by the {@link SessionDirectoryWriter}'s thread and by virtual threads. Every
 * method throws {@link io.heddle.core.StoreUnavailableException} when the store does not answer; then nobody knows whether it did
 * what it was asked for.
 */
@Port
public interface SessionDirectory {
    /**
     * Stores entries, each in place of what its client had; all of them or none.
     *
     * @param entries at most one of a client
     */
    void put(List<SessionEntry> entries);

    /**
     * Removes the entries of clients; all of them or none.
     *
     * @return how many there were
     */
    int remove(Collection<ClientId> clientIds);

    /**
     * What is stored, page by page, in an order of the directory's own.
     *
     * @param after the last of the page before, whether it is still there or not; null for the first page
     * @param limit how many at most, at least 1
     * @return empty when there are no more
     */
    List<Stored> page(@Nullable ClientId after, int limit);

    /** A client's entry, or null. */
    @Nullable
    SessionEntry find(ClientId clientId);

    /** Says of an entry what it takes to know whether it is still right. */
    record Stored(ClientId clientId, long fingerprint) {}
}
