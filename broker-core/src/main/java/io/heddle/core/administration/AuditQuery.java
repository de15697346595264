package io.heddle.core.administration;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit log. All conditions must hold; null stands for any.
 *
 * @param administrator the exact user name
 * @param target the exact target
 * @param from the earliest time
 * @param until the first time that is too late
 * @param newestFirst the order
 * @param after the last entry of the previous page, which has a time and an id
 * @param limit the maximum number of entries, at least 1
 */
public record AuditQuery(
        @Nullable String administrator,
        @Nullable String target,
        @Nullable Instant from,
        @Nullable Instant until,
        boolean newestFirst,
        @Nullable Position after,
        int limit) {
    /** The place of an entry in the order of the log. */
    public record Position(Instant time, long id) {}
}
