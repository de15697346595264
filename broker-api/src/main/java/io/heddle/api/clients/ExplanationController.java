package io.heddle.api.clients;

import io.heddle.api.clients.ClientController.SubscriptionResponse;
import io.heddle.api.clients.ClientDetailsResponse.DisconnectionResponse;
import io.heddle.api.message.MqttText;
import io.heddle.api.problem.FieldProblems;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.RecentDrops;
import io.heddle.core.client.RecentDrops.DroppedMessage;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientQuery;
import io.heddle.core.operator.client.LastDisconnection;
import io.heddle.core.operator.client.SubscriberPage;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.explain.Contender;
import io.heddle.core.operator.explain.Delivery;
import io.heddle.core.operator.explain.Delivery.Output;
import io.heddle.core.operator.explain.DeliveryExplanation;
import io.heddle.core.operator.explain.DeliveryExplanation.Group;
import io.heddle.core.operator.explain.RuleDecision;
import io.heddle.core.operator.explain.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Explains why a client, or each subscriber, gets the messages on a topic, or does not. */
@RestController
public final class ExplanationController {
    private static final int MAXIMUM_RECIPIENTS = 50;
    private static final int AT_ONCE = 8;
    // Behind all filters of a client.
    private static final String LAST_FILTER = Character.toString(Character.MAX_VALUE);

    private final Node node;

    public ExplanationController(Node node) {
        this.node = node;
    }

    /** @param qos with which the message is published */
    @GetMapping("/api/v1/explain")
    ExplanationResponse explain(
            @RequestParam String clientId, @RequestParam String topic, @RequestParam(defaultValue = "1") int qos) {
        FieldProblems problems = new FieldProblems();
        ClientId client = MqttText.clientId(clientId, "clientId", problems);
        TopicName name = message(topic, qos, problems);
        problems.throwIfAny();
        ClientId id = Objects.requireNonNull(client);
        DeliveryExplanation explanation = node.explain(id, Objects.requireNonNull(name), QoS.ofLevel(qos));
        ClientEntry known = explanation.client().client();
        return ExplanationResponse.of(
                explanation, known == null ? null : StoredMessagesResponse.find(node, id, known.type()));
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
        // One after the other, a node that does not answer would hold up each of them. All at once, they would crowd
        // out other questions.
        try (ExecutorService threads =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            Map<String, Future<DeliveryExplanation>> explanations = new LinkedHashMap<>();
            shown.forEach(each -> explanations.put(
                    each, threads.submit(() -> node.explain(new ClientId(each), published, QoS.ofLevel(qos)))));
            explanations.forEach((each, explanation) -> {
                DeliveryExplanation found = result(explanation);
                missing.addAll(found.missingNodes());
                recipients.add(RecipientResponse.of(each, found));
            });
        }
        return new RecipientsResponse(
                recipients, hasMore ? shown.getLast() : null, List.copyOf(missing), page.isComplete());
    }

    private static DeliveryExplanation result(Future<DeliveryExplanation> explanation) {
        try {
            return explanation.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreUnavailableException unavailable
                    ? unavailable
                    : new IllegalStateException("an explanation failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait for an explanation was interrupted", e);
        }
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
                    last == null ? null : DisconnectionResponse.of(last),
                    List.copyOf(new TreeSet<>(explanation.missingNodes())));
        }
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
     */
    record GroupResponse(String topicFilter, List<String> members, boolean complete) {
        static GroupResponse of(Group group) {
            return new GroupResponse(group.topicFilter(), group.members(), !group.hasMore());
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
     * A message that a client has missed.
     *
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
                    message.payloadBytes() == RecentDrops.UNKNOWN_BYTES
                            ? null
                            : Integer.valueOf(message.payloadBytes()));
        }
    }
}
