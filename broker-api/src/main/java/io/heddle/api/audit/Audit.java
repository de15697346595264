package io.heddle.api.audit;

import io.heddle.api.problem.RequestProblem;
import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditResult;
import io.heddle.core.lifecycle.StartupException;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the changes of administrators and records them. The entry is stored before the change and completed after it. If it cannot be stored,
 * the change is not made and the answer is 503. If it cannot be completed, it stays ATTEMPTED and the log says so. Thread-safe; blocks.
 */
public final class Audit {
    private static final Logger log = LoggerFactory.getLogger(Audit.class);

    private final AuditLog entries;
    private final JsonMapper json;

    public Audit(AuditLog entries, JsonMapper json) {
        this.entries = entries;
        this.json = json;
    }

    /**
     * Makes a change.
     *
     * @param request names the administrator and the address
     * @param action what is done
     * @param target the path of the object, for example {@code credentials/42}
     * @param before the object before the change, which becomes JSON and must have no secrets; or null
     * @param change makes the change; its exceptions end the request and are recorded
     * @return the result of the change
     */
    public <T extends @Nullable Object> T change(
            HttpServletRequest request,
            AuditAction action,
            String target,
            @Nullable Object before,
            Supplier<Audited<T>> change) {
        Principal administrator = request.getUserPrincipal();
        String name = administrator == null ? "" : administrator.getName();
        long id = entries.begin(new AuditAttempt(name, request.getRemoteAddr(), action.name(), target, text(before)));
        log.info(
                "An administrator makes a change: administrator={}, address={}, action={}, target={}",
                name,
                request.getRemoteAddr(),
                action,
                target);
        Audited<T> audited;
        try {
            audited = change.get();
        } catch (RuntimeException failure) {
            complete(id, action, new AuditResult(outcome(failure), null, sentence(failure)));
            throw failure;
        }
        complete(id, action, new AuditResult(AuditOutcome.DONE, text(audited.after()), null));
        return audited.result();
    }

    /** The change is made, so its answer does not fail with the completion of its entry. */
    private void complete(long id, AuditAction action, AuditResult result) {
        try {
            entries.complete(id, result);
        } catch (StoreUnavailableException unavailable) {
            log.warn(
                    "PostgreSQL does not accept the outcome of a change; its entry in the audit log stays ATTEMPTED: entry={},"
                            + " action={}, outcome={}",
                    id,
                    action,
                    result.outcome());
            log.debug("Completing an entry of the audit log failed", unavailable);
        }
    }

    private @Nullable String text(@Nullable Object object) {
        return object == null ? null : json.writeValueAsString(object);
    }

    private static AuditOutcome outcome(RuntimeException failure) {
        return switch (failure) {
            case RequestProblem problem when problem.isOutcomeUnknown() -> AuditOutcome.UNKNOWN;
            case StoreRejectedException _ -> AuditOutcome.FAILED;
            case StoreUnavailableException _ -> AuditOutcome.UNKNOWN;
            default -> AuditOutcome.FAILED;
        };
    }

    private static String sentence(RuntimeException failure) {
        return switch (failure) {
            case RequestProblem problem -> problem.sentence();
            case StartupException wrong -> String.valueOf(wrong.getMessage());
            case StoreRejectedException rejected -> nameOf(rejected) + " has refused a request.";
            case StoreUnavailableException unavailable -> nameOf(unavailable) + " has not answered in time.";
            default -> "The request failed unexpectedly; the log of the node has the reason.";
        };
    }

    private static String nameOf(StoreUnavailableException failure) {
        String store = failure.store();
        return store == null ? "A store or another node" : store;
    }
}
