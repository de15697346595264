package io.heddle.api.audit;

import io.heddle.core.administration.AuditEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of an entry of the audit log.
 *
 * @param id increases with time, with gaps
 * @param address the remote address of the request
 * @param before JSON of the object before the change as text, cut after 8,192 characters; null if there was none
 * @param after JSON of the object after the change as text, cut after 8,192 characters; null if there is none
 * @param outcome ATTEMPTED, DONE, FAILED or UNKNOWN
 * @param detail why the change failed, or what has not answered; null otherwise
 */
record AuditEntryResponse(
        long id,
        Instant time,
        String administrator,
        String address,
        String action,
        String target,
        @Nullable String before,
        @Nullable String after,
        String outcome,
        @Nullable String detail) {

    static AuditEntryResponse of(AuditEntry entry) {
        return new AuditEntryResponse(
                entry.id(),
                entry.time(),
                entry.attempt().administrator(),
                entry.attempt().address(),
                entry.attempt().action(),
                entry.attempt().target(),
                entry.attempt().before(),
                entry.result().after(),
                entry.result().outcome().name(),
                entry.result().detail());
    }
}
