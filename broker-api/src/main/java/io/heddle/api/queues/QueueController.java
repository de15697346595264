package io.heddle.api.queues;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.message.MqttText;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.message.ClearOutcome;
import io.heddle.core.operator.message.QueueAdministration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows and clears the queue of a DEVICE client. */
@RestController
public final class QueueController {
    private static final ListRules MESSAGES =
            ListRules.of(List.of("sequence"), "clientId").withLimits(10, 100);

    private final Node node;
    private final Audit audit;

    public QueueController(Node node, Audit audit) {
        this.node = node;
        this.audit = audit;
    }

    private QueueAdministration queues() {
        return node.messages().queues();
    }

    @GetMapping("/api/v1/queues/queue")
    QueueResponse queue(@RequestParam String clientId) {
        ClientId client = client(clientId);
        return QueueResponse.of(client, found(queues().view(client, 0, 0)));
    }

    /** Lists the messages of a queue, which stay in it. A page ends after one megabyte, too. */
    @GetMapping("/api/v1/queues/messages")
    Page<QueuedMessageResponse> messages(@RequestParam String clientId, HttpServletRequest request) {
        ListRequest list = MESSAGES.parse(request.getParameterMap());
        ClientId client = client(clientId);
        QueueView view = found(queues().view(client, after(list.after()) + 1, list.limit()));
        List<QueuePage.Entry> entries = view.entries();
        boolean hasMore = !entries.isEmpty() && entries.getLast().sequence() < view.tail();
        return new Page<>(
                entries.stream().map(QueuedMessageResponse::of).toList(),
                hasMore ? list.next(Long.toString(entries.getLast().sequence())) : null);
    }

    /** Returns the sequence number in a cursor; 0 without one. */
    private static long after(@Nullable String key) {
        if (key == null) {
            return 0;
        }
        // No more digits than a long has.
        if (!key.matches("[0-9]{1,18}")) {
            throw Cursor.bad();
        }
        return Long.parseLong(key);
    }

    /** Removes all messages that were acknowledged to their publishers before the request. 409 while a node does not understand that. */
    @DeleteMapping("/api/v1/queues/messages")
    ClearedQueueResponse clear(@RequestParam String clientId, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        ClientId client = client(clientId);
        QueueAdministration queues = queues();
        QueueResponse before = QueueResponse.of(client, found(queues.view(client, 0, 0)));
        return audit.change(
                request,
                AuditAction.CLEAR_QUEUE,
                "queues/messages?clientId=" + clientId,
                before,
                () -> Audited.of(clear(queues, client)));
    }

    private static ClearedQueueResponse clear(QueueAdministration queues, ClientId client) {
        return switch (queues.clear(client)) {
            case ClearOutcome.Cleared cleared -> ClearedQueueResponse.of(cleared);
            case ClearOutcome.NoQueue _ -> throw notFound();
            case ClearOutcome.NotUnderstood(List<NodeId> older) ->
                throw RequestProblem.conflict(
                        "Nodes of an earlier version do not understand the command that clears a queue: "
                                + older.stream().map(NodeId::value).collect(Collectors.joining(", "))
                                + ". Upgrade them first.");
        };
    }

    private static ClientId client(String text) {
        FieldProblems problems = new FieldProblems();
        ClientId client = MqttText.clientId(text, "clientId", problems);
        problems.throwIfAny();
        return Objects.requireNonNull(client, "a client id without problems");
    }

    private static <T> T found(@Nullable T queue) {
        if (queue == null) {
            throw notFound();
        }
        return queue;
    }

    private static RequestProblem notFound() {
        return RequestProblem.notFound(
                "This client has no queue: it has no persistent session, or is an APPLICATION client.");
    }
}
