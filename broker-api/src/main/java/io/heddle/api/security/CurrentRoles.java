package io.heddle.api.security;

import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeys;
import java.security.Principal;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** Finds the roles that the senders of long requests have now: each request was signed in when it began only. Blocks. Thread-safe. */
public final class CurrentRoles {
    private final AdminUsers users;
    private final ApiKeys keys;
    private final BrowserSessions sessions;
    private final InstantSource time;

    /** @param time decides which keys have expired */
    public CurrentRoles(AdminUsers users, ApiKeys keys, BrowserSessions sessions, InstantSource time) {
        this.users = users;
        this.keys = keys;
        this.sessions = sessions;
        this.time = time;
    }

    /**
     * Returns the role that the sender of a request has now.
     *
     * @return null if the administrator or key was removed, has another password, or the session or key has ended
     * @throws io.heddle.core.StoreUnavailableException if the store does not respond
     */
    public @Nullable AdminRole of(Principal sender) {
        return switch (sender instanceof Authentication signedIn ? signedIn.getDetails() : null) {
            case AdminSession session -> sessions.role(session);
            case AdminUser before -> {
                AdminUser user = users.find(before.userName());
                yield user != null && AdminSession.account(user).equals(AdminSession.account(before))
                        ? user.role()
                        : null;
            }
            case ApiKey key -> key.equals(keys.find(key.name())) && !key.isExpired(time.instant()) ? key.role() : null;
            case null, default -> null;
        };
    }
}
