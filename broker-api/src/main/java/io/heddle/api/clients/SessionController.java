package io.heddle.api.clients;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.client.ClientType;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.client.ClientFilter;
import io.heddle.core.operator.client.ClientQuery;
import io.heddle.core.operator.client.ClientState;
import io.heddle.core.operator.client.EndedSessions;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Ends the sessions of many clients that are away. */
@RestController
public final class SessionController {
    private final Node node;
    private final Audit audit;

    public SessionController(Node node, Audit audit) {
        this.node = node;
        this.audit = audit;
    }

    /** Ends the sessions, or only counts them, which is no change. The pattern must be given. */
    @DeleteMapping("/api/v1/sessions")
    EndedSessionsResponse end(
            @RequestParam String clientId,
            @RequestParam(required = false) @Nullable String userName,
            @RequestParam(required = false) @Nullable ClientType type,
            @RequestParam(required = false) @Nullable Instant awayBefore,
            @RequestParam(defaultValue = "false") boolean dryRun,
            HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        requireText("clientId", clientId);
        if (userName != null) {
            requireText("userName", userName);
        }
        ClientFilter filter = new ClientFilter(
                null,
                clientId,
                userName,
                null,
                null,
                ClientState.AWAY,
                type,
                null,
                null,
                ClientController.millis(awayBefore));
        if (dryRun) {
            return EndedSessionsResponse.of(node.clients().endSessions(filter, true));
        }
        String target = "sessions?clientId=" + clientId
                + (userName == null ? "" : "&userName=" + userName)
                + (type == null ? "" : "&type=" + type)
                + (awayBefore == null ? "" : "&awayBefore=" + awayBefore);
        return audit.change(
                request,
                AuditAction.END_SESSIONS,
                target,
                null,
                () -> Audited.of(EndedSessionsResponse.of(node.clients().endSessions(filter, false))));
    }

    private static void requireText(String parameter, String text) {
        if (text.isEmpty() || text.length() > ClientQuery.MAXIMUM_TEXT_LENGTH) {
            throw RequestProblem.invalid(parameter, "Use 1 to " + ClientQuery.MAXIMUM_TEXT_LENGTH + " characters.");
        }
    }

    /**
     * The result of the end of many sessions.
     *
     * @param sessions the number of those that have ended, or that would end
     * @param complete whether these are all that match; otherwise repeat the request
     * @param unknown the ids of clients whose sessions may or may not have ended
     * @param connected the ids of clients that have connected meanwhile, and keep their sessions; at most 1,000
     */
    record EndedSessionsResponse(int sessions, boolean complete, List<String> unknown, List<String> connected) {
        static EndedSessionsResponse of(EndedSessions ended) {
            return new EndedSessionsResponse(ended.sessions(), ended.isComplete(), ended.unknown(), ended.connected());
        }
    }
}
