package io.heddle.api.audit;

import io.heddle.api.page.Cursor;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditFilter;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the changes that administrators made on all nodes, the newest first. */
@RestController
public final class AuditController {
    private static final ListRules RULES =
            ListRules.of(List.of("-time", "time"), "administrator", "action", "target", "outcome", "from", "until");

    private final AuditLog log;

    public AuditController(AuditLog log) {
        this.log = log;
    }

    @GetMapping("/api/v1/audit")
    Page<AuditEntryResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        AuditAction action = list.choice("action", AuditAction.class);
        AuditFilter filter = new AuditFilter(
                list.text("administrator"),
                action == null ? null : action.name(),
                list.text("target"),
                list.choice("outcome", AuditOutcome.class),
                list.time("from"),
                list.time("until"));
        List<AuditEntry> found =
                log.list(new AuditQuery(filter, list.sort().isDescending(), position(list), list.limit() + 1));
        return Page.of(
                found,
                list.limit(),
                AuditEntryResponse::of,
                entry -> list.next(entry.time().toString(), Long.toString(entry.id())));
    }

    private static AuditQuery.@Nullable Position position(ListRequest list) {
        List<@Nullable String> key = list.after(2);
        if (key == null) {
            return null;
        }
        try {
            return new AuditQuery.Position(
                    Instant.parse(Objects.requireNonNullElse(key.getFirst(), "")),
                    Long.parseLong(Objects.requireNonNullElse(key.getLast(), "")));
        } catch (DateTimeException | NumberFormatException notAPosition) {
            throw Cursor.bad();
        }
    }

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
}
