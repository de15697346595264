package io.heddle.core.administration;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit log.
 *
 * @param newestFirst the order
 * @param after the last entry of the previous page, which has a time and an id; null for the first page
 * @param limit the maximum number of entries, at least 1
 */
public record AuditQuery(
        AuditFilter filter, boolean newestFirst, @Nullable Position after, int limit) {
    /** The place of an entry in the order of the log. */
    public record Position(Instant time, long id) {}
}
