package io.heddle.core.administration;

import io.heddle.core.Port;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The store of sessions in browsers, which all nodes share. It has at most {@link #MAX_PER_ADMINISTRATOR} of each administrator. May block:
 * called on virtual threads only. Every method throws {@link io.heddle.core.StoreUnavailableException} if the store does not answer.
 */
@Port
public interface AdminSessions {
    /** The number of sessions of an administrator; a further one replaces the oldest. */
    int MAX_PER_ADMINISTRATOR = 20;

    /** Returns the session with this hash of its token, or null. It may have expired. */
    @Nullable
    AdminSession find(String tokenHash);

    /** Returns the sessions of an administrator, latest first, with those that have expired and are still stored. */
    List<AdminSession> list(String userName);

    /**
     * Stores a session. Removes the sessions of all administrators that have expired at the time of its creation.
     *
     * @param idleSince sessions that were last used before have expired, too
     */
    void create(AdminSession session, Instant idleSince);

    /** Stores the time of the latest use, unless a later one is stored or the session has been removed. */
    void use(UUID id, Instant time);

    /** Removes a session of an administrator, if it exists. */
    void remove(String userName, UUID id);

    /**
     * Removes the sessions of an administrator.
     *
     * @param kept the id of the session that stays; null if none does
     */
    void removeAll(String userName, @Nullable UUID kept);
}
