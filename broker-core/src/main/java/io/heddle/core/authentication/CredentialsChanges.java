package io.heddle.core.authentication;

import io.heddle.core.Port;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reports new, changed and removed credentials, and changes of the blocked clients, also those that other nodes or SQL have made. Used by one
 * thread, which may block.
 */
@Port
public interface CredentialsChanges {
    /**
     * Changes since the previous call.
     *
     * @param isGap whether there may be others besides the named ones: at the first call, and after the store was away
     * @param ids of credentials that are new, changed or removed
     * @param isBlockedChanged whether entries of blocked clients have changed
     * @param confirmedAgo the age of the latest moment up to which all changes have certainly been reported; null if the store may be unable to
     *     report any
     */
    record Changed(
            boolean isGap,
            Set<UUID> ids,
            boolean isBlockedChanged,
            @Nullable Duration confirmedAgo) {
        public Changed {
            ids = Set.copyOf(ids);
        }
    }

    /**
     * Waits for changes and returns them; may return none.
     *
     * @param atMost the longest wait
     * @throws io.heddle.core.StoreUnavailableException if the store does not answer; then the next changes have a gap
     */
    Changed await(Duration atMost);
}
