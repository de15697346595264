package io.heddle.api.trace;

import io.heddle.api.security.CurrentRoles;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminRole;
import java.security.Principal;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether an administrator may still see a running trace. Used by one thread, which blocks while PostgreSQL is asked. If PostgreSQL does
 * not answer, the trace goes on for {@link #UNKNOWN_LIMIT}, so that a short outage does not end it.
 */
final class TracePermission {
    static final Duration INTERVAL = Duration.ofSeconds(2);
    static final Duration UNKNOWN_LIMIT = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(TracePermission.class);

    private final CurrentRoles roles;
    private final Principal administrator;
    private final boolean hasPayloads;
    private final LongSupplier nanoTime;
    private long checkedNanos;
    private long knownNanos;

    /** @param administrator whose request was permitted just now */
    TracePermission(CurrentRoles roles, Principal administrator, boolean hasPayloads, LongSupplier nanoTime) {
        this.roles = roles;
        this.administrator = administrator;
        this.hasPayloads = hasPayloads;
        this.nanoTime = nanoTime;
        this.checkedNanos = nanoTime.getAsLong();
        this.knownNanos = checkedNanos;
    }

    /** Returns why the trace has to end; null if it may go on. */
    @Nullable
    String refusal() {
        long now = nanoTime.getAsLong();
        if (now - checkedNanos < INTERVAL.toNanos()) {
            return null;
        }
        checkedNanos = now;
        AdminRole role;
        try {
            role = roles.of(administrator);
        } catch (StoreUnavailableException unavailable) {
            log.debug("The permission for a trace is not known", unavailable);
            return now - knownNanos < UNKNOWN_LIMIT.toNanos()
                    ? null
                    : "PostgreSQL does not answer whether you may still see it";
        }
        knownNanos = now;
        if (role == null) {
            return "you are signed out, or your account or key has changed; sign in again";
        }
        return hasPayloads && role != AdminRole.ADMIN ? "you no longer have the role ADMIN, which sees payloads" : null;
    }
}
