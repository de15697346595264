package io.heddle.core.operator.explain;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.client.PastMessages.Remembered;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.client.SubscriberPage;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.explain.DeliveryExplanation.Group;
import io.heddle.core.operator.explain.ExplanationFormat.Answer;
import io.heddle.core.operator.explain.ExplanationFormat.Question;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.Disconnection;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.SessionAdministration.DeliveryCheck;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.MatchingSubscriptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a client gets the messages on a topic, or does not, whichever node it is connected to. Thread-safe; blocks its callers, so not
 * on an event loop.
 */
public final class DeliveryExplainer {
    private static final int GROUPS = 4;
    private static final int MEMBERS = 10;

    private final NodeQuestions questions;
    private final Clients clients;
    private final PersistentSessions persistent;
    private final SteadyClock clock;

    public DeliveryExplainer(
            NodeQuestions questions, Clients clients, PersistentSessions persistent, SteadyClock clock) {
        this.questions = questions;
        this.clients = clients;
        this.persistent = persistent;
        this.clock = clock;
    }

    /** Answers the questions of all nodes about the clients of this one. Called once. */
    public void answer(LocalSessions sessions) {
        SessionAdministration administration = new SessionAdministration(sessions);
        long startMillis = clock.millis();
        EndedNodes ended = new EndedNodes();
        questions.onEnd(node -> ended.add(node, clock.millis()));
        questions.answer(QuestionKind.EXPLAIN, (question, maximumBytes) -> {
            Question asked = ExplanationFormat.QUESTION.decode(question);
            DeliveryCheck check = Answers.await(
                    administration.check(asked.clientId(), asked.topic(), asked.qos()),
                    NodeQuestions.LIMIT,
                    "the event loop of the client",
                    StoreUnavailableException::new);
            Disconnection last = administration.lastDisconnection(asked.clientId());
            return new Answer(
                            startMillis,
                            last == null ? 0 : last.millis(),
                            ended.all(),
                            remembered(administration.pastMessages(asked.clientId()), asked),
                            administration.takeovers(asked.clientId()).stream()
                                    .map(Contender::of)
                                    .toList(),
                            check == null ? null : Delivery.of(check))
                    .encode(maximumBytes);
        });
    }

    /** Leaves out the deliveries that are not asked for. */
    private static @Nullable Remembered remembered(@Nullable Remembered all, Question asked) {
        return all == null
                ? null
                : new Remembered(
                        all.beginMillis(),
                        all.dropsFromMillis(),
                        all.deliveriesFromMillis(),
                        all.drops(),
                        all.deliveries().stream()
                                .filter(each -> each.latestMillis() >= asked.sinceMillis()
                                        && each.isOf(asked.topic().value()))
                                .toList());
    }

    /**
     * Explains what becomes of a message that is published with this QoS now.
     *
     * @param since explains what became of earlier messages, too, from this time on; null for not at all
     */
    public DeliveryExplanation explain(ClientId clientId, TopicName topic, QoS published, @Nullable Instant since) {
        long sinceMillis = since == null ? Long.MAX_VALUE : since.toEpochMilli();
        CompletableFuture<Map<Incarnation, NodeAnswer>> asked = questions.askAll(
                QuestionKind.EXPLAIN,
                ExplanationFormat.QUESTION.encode(new Question(clientId, topic, published, sinceMillis)));
        Map<Incarnation, NodeId> members = questions.members();
        ClientDetails client = clients.find(clientId);
        ClientLink link = client.client() == null ? null : client.client().connection();
        List<DroppedMessage> drops = new ArrayList<>();
        Map<String, Answer> answers = new TreeMap<>();
        List<Contender> contenders = new ArrayList<>();
        Set<String> missing = new TreeSet<>();
        Delivery delivery = link == null ? whileAway(client, clientId, topic) : null;
        for (Map.Entry<Incarnation, NodeAnswer> each : asked.join().entrySet()) {
            NodeId member = members.get(each.getKey());
            String node = member == null ? each.getKey().toString() : member.value();
            Answer answer = decode(each.getValue());
            if (answer == null) {
                missing.add(node);
                continue;
            }
            answers.put(node, answer);
            if (answer.remembered() != null) {
                drops.addAll(answer.remembered().drops());
            }
            contenders.addAll(answer.contenders());
            // A node that was frozen may still have an earlier connection.
            if (answer.delivery() != null && link != null && node.equals(link.nodeId())) {
                delivery = answer.delivery();
            }
        }
        PastDeliveries past =
                since == null ? null : new PastReasoning(topic, sinceMillis, client, answers, missing).conclude();
        drops.sort(Comparator.comparingLong(DroppedMessage::millis).reversed());
        contenders.sort(Comparator.comparingLong(Contender::lastMillis).reversed());
        return new Reasoning(
                        client,
                        delivery,
                        delivery == null ? List.of() : groups(delivery, missing),
                        drops.subList(0, Math.min(PastMessages.DROPS, drops.size())),
                        contenders,
                        persistent.find(clientId) != null,
                        past,
                        missing)
                .conclude(topic, published, clock.millis());
    }

    /** Returns null if the node has not answered. */
    private static @Nullable Answer decode(NodeAnswer answer) {
        byte[] bytes = answer.bytes();
        return bytes == null ? null : ExplanationFormat.ANSWER.decode(bytes);
    }

    private @Nullable Delivery whileAway(ClientDetails client, ClientId clientId, TopicName topic) {
        ClientEntry known = client.client();
        PersistentSession session = persistent.find(clientId);
        return known == null || known.connection() != null || session == null
                ? null
                : Delivery.ofAway(
                        MatchingSubscriptions.of(session.subscriptions().values(), topic));
    }

    /** @param missing the nodes whose members are unknown are added to it */
    private List<Group> groups(Delivery delivery, Set<String> missing) {
        List<Group> groups = new ArrayList<>();
        for (SubscriptionEntry each : delivery.matching()) {
            TopicFilter filter = TopicFilter.parse(each.topicFilter(), Integer.MAX_VALUE);
            if (filter.isShared() && groups.size() < GROUPS) {
                SubscriberPage page =
                        clients.subscribers(new SubscriberQuery(new SubscriberQuery.Of.Filter(filter), null, MEMBERS));
                missing.addAll(page.missingNodes());
                groups.add(new Group(
                        filter.value(),
                        page.entries().stream()
                                .map(SubscriberPage.Subscriber::clientId)
                                .toList(),
                        page.next() != null,
                        clients.nextMember(filter)));
            }
        }
        return groups;
    }
}
