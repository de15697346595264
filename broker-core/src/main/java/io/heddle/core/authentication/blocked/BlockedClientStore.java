package io.heddle.core.authentication.blocked;

import io.heddle.core.Port;
import io.heddle.core.StoreUnavailableException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The entries of all nodes. An entry that has ended, by the clock of the store, is as good as removed. Thread-safe; blocks. Each method throws
 * {@link StoreUnavailableException} if the store does not answer.
 */
@Port
public interface BlockedClientStore {
    /** The most entries. */
    int MAXIMUM = 10_000;

    /** The most entries with which the broker adds one of its own, so that administrators still can. */
    int MAXIMUM_FOR_FLAPPING = 9_000;

    /** Returns all entries, in no order. */
    List<BlockedClient> all();

    /** Returns the entry with this id, or null. */
    @Nullable
    BlockedClient find(UUID id);

    /**
     * Stores an entry. It replaces one of the same kind and value, except that an entry of the broker itself replaces none.
     *
     * @return false if there are too many entries: {@link #MAXIMUM}, or {@link #MAXIMUM_FOR_FLAPPING} for one of the broker itself
     */
    boolean put(BlockedClient entry);

    /** Removes an entry, if it exists. */
    void remove(UUID id);

    /** Removes the entries that have ended. */
    void removeEnded();
}
