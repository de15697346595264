package io.heddle.api.retained;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.message.MessageLimits;
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
import io.heddle.core.lifecycle.Node;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.message.RetainedAdministration;
import io.heddle.core.operator.message.RetainedPage;
import io.heddle.core.operator.message.RetainedRemovals;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists, reads and removes retained messages. */
@RestController
public final class RetainedController {
    private static final ListRules RULES = ListRules.of(List.of("topic"), "filter");

    private final Node node;
    private final Audit audit;
    private final MessageLimits limits;
    private final EntityTags tags;

    public RetainedController(Node node, Audit audit, MessageLimits limits, EntityTags tags) {
        this.node = node;
        this.audit = audit;
        this.limits = limits;
        this.tags = tags;
    }

    private RetainedAdministration retained() {
        return node.messages().retained();
    }

    /** The parameter {@code filter} is a topic filter; without it, all messages are listed. */
    @GetMapping("/api/v1/retained")
    Page<RetainedItemResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        FieldProblems problems = new FieldProblems();
        TopicFilter filter = filter(Objects.requireNonNullElse(list.text("filter"), "#"), problems);
        RetainedPage page = retained().list(filter, after(list.after()), list.limit());
        TopicName next = page.next();
        return new Page<>(
                page.messages().stream().map(RetainedItemResponse::of).toList(),
                next == null ? null : list.next(next.value()));
    }

    private @Nullable TopicName after(@Nullable String topic) {
        try {
            return topic == null ? null : TopicName.parse(topic, limits.maximumTopicLevels());
        } catch (ProtocolException notATopic) {
            throw Cursor.bad();
        }
    }

    private TopicFilter filter(@Nullable String text, FieldProblems problems) {
        TopicFilter filter = MqttText.filter(text, limits.maximumTopicLevels(), "filter", problems);
        problems.throwIfAny();
        return Objects.requireNonNull(filter, "a filter without problems");
    }

    @GetMapping("/api/v1/retained/message")
    ResponseEntity<MessageResponse> message(@RequestParam String topic) {
        PublishMessage message = retained().find(topic(topic));
        if (message == null) {
            throw RequestProblem.notFound("This topic has no retained message.");
        }
        return tags.ok(MessageResponse.of(message));
    }

    private TopicName topic(String text) {
        FieldProblems problems = new FieldProblems();
        TopicName topic = MqttText.topic(text, limits.maximumTopicLevels(), "topic", problems);
        problems.throwIfAny();
        return Objects.requireNonNull(topic, "a topic without problems");
    }

    /** Removes one message; subscribers receive nothing. */
    @DeleteMapping("/api/v1/retained/message")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@RequestParam String topic, HttpServletRequest request) {
        TopicName name = topic(topic);
        RetainedAdministration retained = retained();
        PublishMessage before = retained.find(name);
        if (before != null) {
            tags.requireMatch(request, MessageResponse.of(before), "");
        }
        audit.change(
                request,
                AuditAction.REMOVE_RETAINED_MESSAGE,
                "retained/message?topic=" + topic,
                before == null ? null : RetainedItemResponse.of(before),
                () -> {
                    var _ = retained.remove(name, publisher(request));
                    return Audited.nothing();
                });
    }

    /** Removes all messages that match a filter, which must be given. */
    @DeleteMapping("/api/v1/retained")
    RemovalResponse removeMatching(@RequestParam String filter, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        TopicFilter matching = filter(filter, new FieldProblems());
        RetainedAdministration retained = retained();
        return audit.change(request, AuditAction.REMOVE_RETAINED_MESSAGES, "retained?filter=" + filter, null, () -> {
            RetainedRemovals removals = retained.removeMatching(matching, publisher(request));
            return Audited.of(new RemovalResponse(removals.removed(), removals.isComplete()));
        });
    }

    private static ClientId publisher(HttpServletRequest request) {
        return MessageLimits.publisher(request.getUserPrincipal());
    }

    /**
     * The result of a removal of retained messages.
     *
     * @param complete whether all matching messages were removed; otherwise repeat the request
     */
    record RemovalResponse(int removed, boolean complete) {}

    /**
     * A retained message in a list, without its payload.
     *
     * @param expiresAt null if it does not expire
     */
    record RetainedItemResponse(
            String topic,
            int qos,
            String publisher,
            int payloadBytes,
            @Nullable Instant expiresAt,
            @Nullable String contentType) {
        static RetainedItemResponse of(PublishMessage message) {
            return new RetainedItemResponse(
                    message.topic().value(),
                    message.qos().level(),
                    message.publisher().value(),
                    message.payload().length(),
                    MessageResponse.expiry(message),
                    message.properties().contentType());
        }
    }
}
