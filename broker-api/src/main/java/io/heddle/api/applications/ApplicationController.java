package io.heddle.api.applications;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.message.MqttText;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.PositionChange;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.message.ApplicationLog;
import io.heddle.core.operator.message.ApplicationLogAdministration;
import io.heddle.core.operator.message.ApplicationLogPage;
import io.heddle.core.operator.message.ApplicationLogQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the logs of APPLICATION clients and changes the clients' positions in them. */
@RestController
public final class ApplicationController {
    private static final ListRules RULES = ListRules.of(List.of("clientId", "-clientId"), "clientIdPrefix");

    private final Node node;
    private final Audit audit;

    public ApplicationController(Node node, Audit audit) {
        this.node = node;
        this.audit = audit;
    }

    private ApplicationLogAdministration logs() {
        return node.messages().applications();
    }

    @GetMapping("/api/v1/applications")
    Page<ApplicationLogResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        ApplicationLogQuery query = new ApplicationLogQuery(
                Objects.requireNonNullElse(list.text("clientIdPrefix"), ""),
                list.sort().isDescending(),
                list.after(),
                list.limit());
        ApplicationLogPage page = logs().list(query);
        return new Page<>(
                page.logs().stream().map(ApplicationLogResponse::of).toList(),
                page.hasMore() ? list.next(page.logs().getLast().clientId().value()) : null);
    }

    @GetMapping("/api/v1/applications/log")
    ApplicationLogResponse log(@RequestParam String clientId) {
        return ApplicationLogResponse.of(found(logs().find(client(clientId))));
    }

    /** Changes the position of a client; a connection of the client is closed first. 409 while it must complete a QoS 2 message. */
    @PostMapping("/api/v1/applications/seek")
    PositionResponse seek(@RequestBody SeekRequest body, HttpServletRequest request) {
        ClientId client = client(body.clientId());
        return seek(client, body.position(), AuditAction.SEEK_APPLICATION_LOG, "applications/seek", request);
    }

    /** Skips all messages in the log that are durable at the time of the request; a connection of the client is closed first. */
    @DeleteMapping("/api/v1/applications/messages")
    PositionResponse clear(@RequestParam String clientId, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        return seek(
                client(clientId),
                LogPosition.End.END,
                AuditAction.CLEAR_APPLICATION_LOG,
                "applications/messages",
                request);
    }

    private PositionResponse seek(
            ClientId client, LogPosition position, AuditAction action, String target, HttpServletRequest request) {
        ApplicationLogAdministration logs = logs();
        ApplicationLogResponse before = ApplicationLogResponse.of(found(logs.find(client)));
        return audit.change(request, action, target + "?clientId=" + client.value(), before, () -> switch (logs.seek(
                client, position)) {
            case SeekOutcome.Done(var change) -> Audited.of(PositionResponse.of(change));
            case SeekOutcome.Refused refused -> throw problem(refused);
        });
    }

    private static RequestProblem problem(SeekOutcome.Refused refused) {
        return switch (refused) {
            case NO_SESSION -> notFound();
            case UNFINISHED_QOS2 ->
                RequestProblem.conflict(
                        "The client must first complete its QoS 2 messages, whose Packet Identifiers would be"
                                + " used twice; let it connect, or seek less far back.");
            case MOVED -> RequestProblem.unavailable("No node decides about the client at this moment; retry.");
        };
    }

    private static RequestProblem notFound() {
        return RequestProblem.notFound("This client has no log: it has no persistent session, or is a DEVICE client.");
    }

    private static ClientId client(@Nullable String text) {
        FieldProblems problems = new FieldProblems();
        ClientId client = MqttText.clientId(text, "clientId", problems);
        problems.throwIfAny();
        return Objects.requireNonNull(client, "a client id without problems");
    }

    private static ApplicationLog found(@Nullable ApplicationLog log) {
        if (log == null) {
            throw notFound();
        }
        return log;
    }

    /**
     * A changed position, which is durable.
     *
     * @param positionBefore the lowest offset that the client had not acknowledged
     * @param position the lowest offset that counts as not acknowledged now; below the requested one if the client must first complete a QoS 2
     *     message
     */
    record PositionResponse(long positionBefore, long position) {
        static PositionResponse of(PositionChange change) {
            return new PositionResponse(change.before(), change.after());
        }
    }

    /**
     * @param lag about how many messages the client has not acknowledged: the ends of transactions count, too
     * @param position the lowest offset that the client has not acknowledged
     * @param firstOffset the lowest offset in the log; null if Kafka has no log of the client
     * @param endOffset one above the highest offset; null as before
     * @param logBytes on the disk of one Kafka broker; null if Kafka does not report it
     */
    record ApplicationLogResponse(
            String clientId,
            boolean connected,
            long lag,
            long position,
            @Nullable Long firstOffset,
            @Nullable Long endOffset,
            @Nullable Long logBytes) {
        static ApplicationLogResponse of(ApplicationLog log) {
            LogExtent extent = log.extent();
            return new ApplicationLogResponse(
                    log.clientId().value(),
                    log.isConnected(),
                    log.lag(),
                    log.position(),
                    extent == null ? null : extent.first(),
                    extent == null ? null : extent.end(),
                    extent == null || extent.bytes() == LogExtent.UNKNOWN ? null : extent.bytes());
        }
    }
}
