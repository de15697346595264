package io.heddle.api.administrators;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.security.BrowserSessions;
import io.heddle.core.administration.AdminSession;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists and ends the sessions in browsers of the administrator who has signed in. Every role may do both. */
@RestController
public final class AccountSessionController {
    private final BrowserSessions sessions;
    private final Audit audit;

    public AccountSessionController(BrowserSessions sessions, Audit audit) {
        this.sessions = sessions;
        this.audit = audit;
    }

    /**
     * The sessions, latest first.
     *
     * @param items at most {@link io.heddle.core.administration.AdminSessions#MAX_PER_ADMINISTRATOR}
     */
    record SessionsResponse(List<SessionResponse> items) {}

    /**
     * A session.
     *
     * @param address where the sign-in came from
     * @param current whether it is the session of the request
     */
    record SessionResponse(
            UUID id, String address, Instant createdAt, Instant lastUsedAt, Instant expiresAt, boolean current) {
        static SessionResponse of(AdminSession session, boolean current) {
            return new SessionResponse(
                    session.id(),
                    session.address(),
                    session.createdAt(),
                    session.lastUsedAt(),
                    session.expiresAt(),
                    current);
        }
    }

    @GetMapping("/api/v1/account/sessions")
    SessionsResponse list(Principal account) {
        AdminSession current = BrowserSessions.current(account);
        return new SessionsResponse(sessions.list(account.getName()).stream()
                .map(each ->
                        SessionResponse.of(each, current != null && each.id().equals(current.id())))
                .toList());
    }

    /** Ends a session, if it exists. */
    @DeleteMapping("/api/v1/account/sessions/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void end(@PathVariable UUID id, Principal account, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        String userName = account.getName();
        change(request, target(userName) + "/" + id, () -> sessions.end(userName, id));
    }

    /** Ends all sessions but that of the request. */
    @DeleteMapping("/api/v1/account/sessions")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void endOthers(Principal account, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        String userName = account.getName();
        AdminSession current = BrowserSessions.current(account);
        change(request, target(userName), () -> sessions.endOthers(userName, current));
    }

    private void change(HttpServletRequest request, String target, Runnable end) {
        audit.change(request, AuditAction.END_ADMINISTRATOR_SESSIONS, target, null, () -> {
            end.run();
            return Audited.nothing();
        });
    }

    private static String target(String userName) {
        return AdministratorController.target(userName) + "/sessions";
    }
}
