package io.heddle.api.clients;

import io.heddle.api.clients.ClientController.SubscriptionResponse;
import io.heddle.api.clients.ClientDetailsResponse.DisconnectionResponse;
import io.heddle.api.message.MqttText;
import io.heddle.api.page.ItemQuestions;
import io.heddle.api.problem.FieldProblems;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientQuery;
import io.heddle.core.operator.client.LastDisconnection;
import io.heddle.core.operator.client.NextMember;
import io.heddle.core.operator.client.SubscriberPage;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.explain.Contender;
import io.heddle.core.operator.explain.Delivery;
import io.heddle.core.operator.explain.Delivery.Output;
import io.heddle.core.operator.explain.DeliveryExplanation;
import io.heddle.core.operator.explain.DeliveryExplanation.Group;
import io.heddle.core.operator.explain.RuleDecision;
import io.heddle.core.operator.explain.Verdict;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Explains why a client, or each subscriber, gets the messages on a topic, or does not. */
@RestController
public final class ExplanationController {
    private static final int MAXIMUM_RECIPIENTS = 50;
    // Behind all filters of a client.
    private static final String LAST_FILTER = Character.toString(Character.MAX_VALUE);

    private final Node node;

    public ExplanationController(Node node) {
        this.node = node;
    }

    /**
     * Explains what becomes of a message, and what became of earlier ones.
     *
     * @param qos with which the message is published
     * @param since a time, or a duration before now: earlier messages since then are explained, too; empty for none
     */
    @GetMapping("/api/v1/explain")
    ExplanationResponse explain(
            @RequestParam String clientId,
            @RequestParam String topic,
            @RequestParam(defaultValue = "1") int qos,
            @RequestParam(defaultValue = "") String since) {
        FieldProblems problems = new FieldProblems();
        ClientId client = MqttText.clientId(clientId, "clientId", problems);
        TopicName name = message(topic, qos, problems);
        Instant from = since(since, problems);
        problems.throwIfAny();
        ClientId id = Objects.requireNonNull(client);
        DeliveryExplanation explanation = node.explain(id, Objects.requireNonNull(name), QoS.ofLevel(qos), from);
        ClientEntry known = explanation.client().client();
        return ExplanationResponse.of(
                explanation, known == null ? null : StoredMessagesResponse.find(node, id, known.type()));
    }

    private static @Nullable Instant since(String text, FieldProblems problems) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            Instant from = text.startsWith("P") ? Instant.now().minus(Duration.parse(text)) : Instant.parse(text);
            Long millis = ClientController.millis(from);
            return millis == null ? null : Instant.ofEpochMilli(millis);
        } catch (DateTimeException | ArithmeticException _) {
            problems.add("since", "Use a time in UTC such as 2026-11-01T10:00:00Z, or a duration such as PT10M.");
            return null;
        }
    }

    private static @Nullable TopicName message(String topic, int qos, FieldProblems problems) {
        problems.require(qos >= 0 && qos <= 2, "qos", "Use 0, 1 or 2.");
        // The broker may have allowed more levels before than it allows now.
        return MqttText.topic(topic, Integer.MAX_VALUE, "topic", problems);
    }

    /**
     * Explains for each subscriber of a topic whether it gets the messages.
     *
     * @param qos with which the message is published
     * @param after the cursor of the part before, or nothing
     */
    @GetMapping("/api/v1/explain/recipients")
    RecipientsResponse recipients(
            @RequestParam String topic,
            @RequestParam(defaultValue = "1") int qos,
            @RequestParam(defaultValue = "10") int limit,
            @RequestParam(defaultValue = "") String after) {
        FieldProblems problems = new FieldProblems();
        TopicName name = message(topic, qos, problems);
        problems.require(limit >= 1 && limit <= MAXIMUM_RECIPIENTS, "limit", "Use 1 to " + MAXIMUM_RECIPIENTS + ".");
        problems.throwIfAny();
        TopicName published = Objects.requireNonNull(name);
        // A client with several subscriptions is listed once, behind all of which the next part begins.
        SubscriberPage page = node.clients()
                .subscribers(new SubscriberQuery(
                        new SubscriberQuery.Of.Topic(published),
                        after.isEmpty() ? null : new SubscriberQuery.Position(after, LAST_FILTER),
                        ClientQuery.MAXIMUM_LIMIT));
        List<String> clients = page.entries().stream()
                .map(SubscriberPage.Subscriber::clientId)
                .distinct()
                .toList();
        List<String> shown = clients.subList(0, Math.min(limit, clients.size()));
        boolean hasMore = clients.size() > shown.size() || page.next() != null;
        Set<String> missing = new TreeSet<>(page.missingNodes());
        List<RecipientResponse> recipients = new ArrayList<>();
        ItemQuestions.ask(shown, each -> node.explain(new ClientId(each), published, QoS.ofLevel(qos), null))
                .forEach((each, found) -> {
                    missing.addAll(found.missingNodes());
                    recipients.add(RecipientResponse.of(each, found));
                });
        return new RecipientsResponse(
                recipients, hasMore ? shown.getLast() : null, List.copyOf(missing), page.isComplete());
    }

    /**
     * The subscribers of a topic.
     *
     * @param items in the order of the client ids
     * @param next the cursor of the next part; null at the end of the list
     * @param complete false if there are so many subscribers that some were not examined
     */
    record RecipientsResponse(
            List<RecipientResponse> items, @Nullable String next, List<String> missingNodes, boolean complete) {}

    /**
     * The outcome of the messages on a topic for a subscriber.
     *
     * @param qos of the delivery; null if there is none
     */
    record RecipientResponse(
            String clientId,
            Verdict verdict,
            String summary,
            @Nullable Integer qos) {
        static RecipientResponse of(String clientId, DeliveryExplanation explanation) {
            QoS qos = explanation.qos();
            return new RecipientResponse(
                    clientId,
                    explanation.verdict(),
                    explanation.summary(),
                    qos == null ? null : Integer.valueOf(qos.level()));
        }
    }

    /**
     * Why a client gets the messages on a topic, or does not.
     *
     * @param summary the verdict with its reason in some sentences
     * @param qos of the delivery; null if there is none
     * @param client null if it is neither connected nor has a session
     * @param subscriptions the number of its subscriptions; null if they are unknown
     * @param similar subscriptions that would match if upper and lower case, and slashes at the ends, did not count
     * @param rules null while the client is away
     * @param output null while the client is away
     * @param missed the messages that the client has missed last, the latest first
     * @param contenders clients that fight over the client id
     * @param past what became of earlier messages on the topic; null if the request does not ask for it
     * @param stored the messages in the queue or log of a persistent session
     */
    record ExplanationResponse(
            Verdict verdict,
            String summary,
            @Nullable Integer qos,
            @Nullable ClientResponse client,
            @Nullable Integer subscriptions,
            List<SubscriptionResponse> matching,
            List<SubscriptionResponse> similar,
            List<GroupResponse> groups,
            @Nullable RuleDecisionResponse rules,
            @Nullable OutputResponse output,
            @Nullable StoredMessagesResponse stored,
            List<MissedMessageResponse> missed,
            List<ContenderResponse> contenders,
            @Nullable PastResponse past,
            @Nullable DisconnectionResponse lastDisconnection,
            List<String> missingNodes) {
        static ExplanationResponse of(DeliveryExplanation explanation, @Nullable StoredMessagesResponse stored) {
            QoS qos = explanation.qos();
            ClientEntry client = explanation.client().client();
            Delivery delivery = explanation.delivery();
            LastDisconnection last = explanation.client().lastDisconnection();
            return new ExplanationResponse(
                    explanation.verdict(),
                    explanation.summary(),
                    qos == null ? null : Integer.valueOf(qos.level()),
                    client == null ? null : ClientResponse.of(client),
                    delivery == null ? null : Integer.valueOf(delivery.subscriptions()),
                    delivery == null
                            ? List.of()
                            : delivery.matching().stream()
                                    .map(SubscriptionResponse::of)
                                    .toList(),
                    delivery == null
                            ? List.of()
                            : delivery.similar().stream()
                                    .map(SubscriptionResponse::of)
                                    .toList(),
                    explanation.groups().stream().map(GroupResponse::of).toList(),
                    delivery == null ? null : RuleDecisionResponse.of(delivery.rules()),
                    delivery == null ? null : OutputResponse.of(delivery.output()),
                    stored,
                    explanation.drops().stream().map(MissedMessageResponse::of).toList(),
                    explanation.contenders().stream().map(ContenderResponse::of).toList(),
                    PastResponse.of(explanation.past(), waiting(stored, delivery == null ? null : delivery.output())),
                    last == null ? null : DisconnectionResponse.of(last),
                    List.copyOf(new TreeSet<>(explanation.missingNodes())));
        }
    }

    /** Returns the number of messages that wait in a store or in memory, as far as it is known. */
    private static long waiting(@Nullable StoredMessagesResponse stored, @Nullable Output output) {
        if (stored != null) {
            return Math.max(0, stored.messages() - (output == null ? 0 : output.inFlight()));
        }
        return output == null ? 0 : output.waiting();
    }

    /**
     * The decision of the rules for topics.
     *
     * @param number of the rule that decides, from 1; null if it is the default
     */
    record RuleDecisionResponse(
            boolean allowed,
            @Nullable Integer number,
            @Nullable String rule) {
        static @Nullable RuleDecisionResponse of(@Nullable RuleDecision decision) {
            return decision == null
                    ? null
                    : new RuleDecisionResponse(
                            decision.isAllowed(),
                            decision.number() == 0 ? null : Integer.valueOf(decision.number()),
                            decision.rule());
        }
    }

    /**
     * A shared subscription that matches.
     *
     * @param members the client ids of the first ones
     * @param complete whether these are all
     * @param next the member that gets the next message which is published at the node that answers; null if there is none
     */
    record GroupResponse(
            String topicFilter,
            List<String> members,
            boolean complete,
            @Nullable NextMember next) {
        static GroupResponse of(Group group) {
            return new GroupResponse(group.topicFilter(), group.members(), !group.hasMore(), group.next());
        }
    }

    /**
     * The messages on their way to a connected client.
     *
     * @param reading false while the client does not read what it is sent
     * @param limited whether a limit of the rules delays messages
     * @param inFlight messages that were sent and are not acknowledged
     * @param waiting in the memory of the node
     */
    record OutputResponse(boolean reading, boolean limited, int inFlight, int maximumInFlight, long waiting) {
        static @Nullable OutputResponse of(@Nullable Output output) {
            return output == null
                    ? null
                    : new OutputResponse(
                            output.isReading(),
                            output.isPaused(),
                            output.inFlight(),
                            output.maximumInFlight(),
                            output.waiting());
        }
    }

    /**
     * One of several clients that use one client id.
     *
     * @param address without port; null if it is unknown
     * @param closed the number of its connections that were closed because another one connected
     */
    record ContenderResponse(
            @Nullable String address, @Nullable String userName, long closed, Instant last) {
        static ContenderResponse of(Contender contender) {
            return new ContenderResponse(
                    contender.address().isEmpty() ? null : contender.address(),
                    contender.userName(),
                    contender.closed(),
                    Instant.ofEpochMilli(contender.lastMillis()));
        }
    }

    /**
     * @param reason as in the metric heddle.messages.dropped
     * @param topic perhaps cut; null if it is unknown
     * @param qos of the delivery
     * @param payloadBytes null if it is unknown
     */
    record MissedMessageResponse(
            Instant at,
            String reason,
            @Nullable String topic,
            int qos,
            @Nullable Integer payloadBytes) {
        static MissedMessageResponse of(DroppedMessage message) {
            return new MissedMessageResponse(
                    Instant.ofEpochMilli(message.millis()),
                    message.reason(),
                    message.topic(),
                    message.qos().level(),
                    message.payloadBytes() == PastMessages.UNKNOWN_BYTES
                            ? null
                            : Integer.valueOf(message.payloadBytes()));
        }
    }
}
