package io.heddle.api.queues;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.message.MessageResponse;
import io.heddle.api.message.MqttText;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.message.ClearedQueue;
import io.heddle.core.operator.message.QueueAdministration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
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

    /** Removes all messages that were acknowledged to their publishers before the request. */
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
                () -> Audited.of(ClearedQueueResponse.of(found(queues.clear(client)))));
    }

    private static ClientId client(String text) {
        FieldProblems problems = new FieldProblems();
        ClientId client = MqttText.clientId(text, "clientId", problems);
        problems.throwIfAny();
        return Objects.requireNonNull(client, "a client id without problems");
    }

    private static <T> T found(@Nullable T queue) {
        if (queue == null) {
            throw RequestProblem.notFound(
                    "This client has no queue: it has no persistent session, or is an APPLICATION client.");
        }
        return queue;
    }

    /**
     * The size of a queue.
     *
     * @param messages those that the client has received and not acknowledged included
     * @param firstSequence the lowest sequence number in the queue, one above the last one if it is empty
     * @param lastSequence the highest sequence number ever assigned; 0 if none was
     */
    record QueueResponse(String clientId, int messages, long queuedBytes, long firstSequence, long lastSequence) {
        static QueueResponse of(ClientId clientId, QueueView view) {
            return new QueueResponse(clientId.value(), view.messages(), view.bytes(), view.head(), view.tail());
        }
    }

    /**
     * @param received whether the client has sent PUBREC, so that only PUBREL is missing
     * @param message with the QoS and RETAIN of the delivery
     */
    record QueuedMessageResponse(long sequence, boolean received, MessageResponse message) {
        static QueuedMessageResponse of(QueuePage.Entry entry) {
            return new QueuedMessageResponse(
                    entry.sequence(),
                    entry.received(),
                    MessageResponse.of(entry.message(), entry.qos(), entry.retain()));
        }
    }

    /**
     * The result of clearing a queue, which is durable.
     *
     * @param messages the number of messages in the queue just before
     * @param applied whether the queue is empty already; otherwise its bucket lags, and the queue is cleared when the bucket has caught up
     */
    record ClearedQueueResponse(int messages, boolean applied) {
        static ClearedQueueResponse of(ClearedQueue cleared) {
            return new ClearedQueueResponse(cleared.messages(), cleared.isApplied());
        }
    }
}
