package io.heddle.api.publish;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.message.MessageLimits;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.operator.message.MessagePublisher;
import io.heddle.core.publish.PublishOutcome;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Publishes a message as a client does. */
@RestController
public final class PublishController {
    private final Node node;
    private final Audit audit;
    private final MessageLimits limits;

    public PublishController(Node node, Audit audit, MessageLimits limits) {
        this.node = node;
        this.audit = audit;
        this.limits = limits;
    }

    /**
     * Answers when a client would have PUBACK: when the message is durable where it must be stored. 503 if it is refused because the broker has
     * no room, or if its outcome is unknown; then it may have been published.
     */
    @PostMapping("/api/v1/publish")
    PublishResponse publish(@RequestBody PublishRequest body, HttpServletRequest request) {
        MessageAdministration administration = node.messages();
        PublishMessage message =
                body.toMessage(administration.clock(), MessageLimits.publisher(request.getUserPrincipal()), limits);
        MessagePublisher publisher = administration.publisher();
        return audit.change(
                request,
                AuditAction.PUBLISH,
                "publish?topic=" + message.topic().value(),
                null,
                () -> switch (publisher.publish(message)) {
                    case PublishOutcome.Routed(int recipients) -> Audited.of(PublishResponse.to(recipients));
                    case PublishOutcome.Refused(var reason) ->
                        throw RequestProblem.unavailable("The message was refused with the reason code " + reason.name()
                                + "; the metric heddle.messages.dropped names the limit.");
                    case PublishOutcome.Pending _ -> throw new IllegalStateException("the outcome is unknown");
                });
    }

    /**
     * A message that was published.
     *
     * @param recipients the number of sessions whose subscriptions matched, each shared subscription counting as one; on other nodes, those that
     *     get the message over a link count once for each node
     * @param reasonCode as in PUBACK
     * @param reason the name of the reason code
     */
    record PublishResponse(int recipients, int reasonCode, String reason) {
        static PublishResponse to(int recipients) {
            ReasonCode reason = recipients == 0 ? ReasonCode.NO_MATCHING_SUBSCRIBERS : ReasonCode.SUCCESS;
            return new PublishResponse(recipients, reason.code(), reason.name());
        }
    }
}
