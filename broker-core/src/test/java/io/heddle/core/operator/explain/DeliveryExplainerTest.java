package io.heddle.core.operator.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.RecentDrops.DroppedMessage;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.ClusterClients;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.session.Connect;
import io.heddle.core.session.RulesTest;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked about clients of the second. The window of a client has 4 messages, its queue another 4. */
final class DeliveryExplainerTest {
    private final InMemoryLinks links = new InMemoryLinks(1, 1 << 20, 1 << 20);
    private final TestView log = new TestView(1);
    private final ManualEventLoop timers = new ManualEventLoop(0);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final TestNode here = new TestNode();
    private final SessionSettings settings = RulesTest.settings("default allow");
    private final TestNode there = new TestNode(settings, 1_000_000);
    private final Incarnation a = log.serve("a");
    private final Incarnation b = log.serve("b");
    private final DeliveryExplainer explainer = explainer(here, a);
    private int version;

    DeliveryExplainerTest() {
        var _ = explainer(there, b);
        links.connect(a, b);
    }

    private DeliveryExplainer explainer(TestNode node, Incarnation self) {
        NodeQuestions questions = new NodeQuestions(links.node(self), timers, threads, new SimpleMeterRegistry());
        questions.onJoined(self, log.view());
        DeliveryExplainer created = new DeliveryExplainer(
                questions,
                new ClusterClients(questions, node.sessions, node.persistent, node.trie),
                node.persistent,
                node.clock);
        created.answer(node.sessions);
        return created;
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private DeliveryExplanation explain(String clientId, String topic, QoS qos) throws Exception {
        return explain(explainer, clientId, topic, qos);
    }

    /** Asks on another thread, while this one runs the event loops and delivers frames. */
    private DeliveryExplanation explain(DeliveryExplainer asked, String clientId, String topic, QoS qos)
            throws Exception {
        Future<DeliveryExplanation> result = threads.submit(
                () -> asked.explain(new ClientId(clientId), TopicName.parse(topic, Integer.MAX_VALUE), qos));
        while (!result.isDone()) {
            links.deliver();
            here.runAll();
            there.runAll();
            Thread.onSpinWait();
        }
        return result.get();
    }

    private void apply(String... lines) throws RuleSyntaxException {
        settings.topics().rules().apply(++version, RuleSet.read(String.join("\n", lines)));
        there.runAll();
    }

    @Test
    void aClientThatNobodyKnowsHasNoSession() throws Exception {
        DeliveryExplanation explanation = explain("nobody", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.NO_SESSION);
        assertThat(explanation.summary())
                .isEqualTo("The client is not connected and has no session, so no messages are stored for it.");
        assertThat(explanation.delivery()).isNull();
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed() throws Exception {
        links.cut(a, b);

        DeliveryExplanation explanation = explain("nobody", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(explanation.missingNodes()).containsExactly("b");
        assertThat(explanation.summary()).endsWith("may be connected to one that has not: b.");
    }

    @Test
    void aSubscriptionThatMatchesDeliversWithTheLowerQos() throws Exception {
        there.connect("c").subscribe(QoS.AT_LEAST_ONCE, "a/+").subscribe(QoS.AT_MOST_ONCE, "b");

        DeliveryExplanation explanation = explain("c", "a/1", QoS.EXACTLY_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.DELIVERED);
        assertThat(explanation.summary()).isEqualTo("The client gets the message, with QoS 1.");
        assertThat(explanation.qos()).isEqualTo(QoS.AT_LEAST_ONCE);
        Delivery delivery = Objects.requireNonNull(explanation.delivery());
        assertThat(delivery)
                .returns(2, Delivery::subscriptions)
                .returns(new RuleDecision(true, 0, null), Delivery::rules)
                .returns(new Delivery.Output(true, true, false, 0, 4, 0), Delivery::output);
        assertThat(delivery.matching())
                .extracting(SubscriptionEntry::topicFilter)
                .containsExactly("a/+");
    }

    @Test
    void withoutASubscriptionThatMatchesASimilarOneIsNamed() throws Exception {
        there.connect("c").subscribe(QoS.AT_LEAST_ONCE, "/Plant/+/state", "other");

        DeliveryExplanation explanation = explain("c", "plant/7/State", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.NO_SUBSCRIPTION);
        assertThat(explanation.summary())
                .isEqualTo(
                        "None of the 2 subscriptions of the client matches the topic. The filter"
                                + " \"/Plant/+/state\" would match if upper and lower case, and slashes at the ends, did not count.");
        assertThat(explanation.qos()).isNull();
    }

    @Test
    void theRuleThatDeniesIsNamed() throws Exception {
        there.connect("c").subscribe(QoS.AT_LEAST_ONCE, "a/#");
        apply(
                "default allow",
                "partial-subscriptions filter",
                "allow all b for everyone",
                "deny all a/secret for client c");

        DeliveryExplanation explanation = explain("c", "a/secret", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.DENIED);
        assertThat(explanation.summary()).endsWith("rule 2, \"deny all a/secret for client c\".");
        assertThat(explain("c", "a/open", QoS.AT_LEAST_ONCE).verdict()).isEqualTo(Verdict.DELIVERED);
    }

    @Test
    void messagesForAClientThatIsAwayAreStoredFromQos1On() throws Exception {
        here.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();

        DeliveryExplanation stored = explain("away", "t", QoS.AT_LEAST_ONCE);
        assertThat(stored.verdict()).isEqualTo(Verdict.STORED);
        assertThat(stored.summary())
                .startsWith("The client is away since ")
                .contains("stored until the client returns");

        DeliveryExplanation lost = explain("away", "t", QoS.AT_MOST_ONCE);
        assertThat(lost.verdict()).isEqualTo(Verdict.NOT_STORED);
        assertThat(lost.summary()).endsWith("Messages of QoS 0 are not stored.");
        assertThat(explain("away", "u", QoS.AT_LEAST_ONCE).verdict()).isEqualTo(Verdict.NO_SUBSCRIPTION);
    }

    @Test
    void aClientThatDoesNotAcknowledgeDelaysMessagesAndTheLastMissedOnesAreListed() throws Exception {
        TestClient publisher = there.connect("publisher");
        there.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        for (int i = 0; i < 10; i++) {
            publisher.publish("t", "message", QoS.AT_LEAST_ONCE, 1);
        }

        DeliveryExplanation explanation = explain("slow", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.DELAYED);
        assertThat(explanation.summary())
                .startsWith("The message waits, because the client has not acknowledged 4 messages")
                .contains("the latest one on this topic was dropped at")
                .endsWith("its queue was full (queue_full).");
        assertThat(explanation.drops())
                .hasSize(2)
                .first()
                .returns("queue_full", DroppedMessage::reason)
                .returns("t", DroppedMessage::topic)
                .returns(7, DroppedMessage::payloadBytes);
    }

    @Test
    void aFullQueueOfAClientThatIsAwayIsSeen() throws Exception {
        TestClient publisher = here.connect("publisher");
        here.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        for (int i = 1; i <= 5; i++) {
            publisher.publish("t", "message", QoS.AT_LEAST_ONCE, i);
        }

        DeliveryExplanation explanation = explain("away", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.drops()).extracting(DroppedMessage::reason).containsExactly("queue_full");
        assertThat(explanation.summary()).endsWith("its queue was full (queue_full).");
    }

    @Test
    void aClientThatDoesNotReadMissesMessagesOfQos0() throws Exception {
        TestClient slow = there.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t");
        slow.connection().writable(false);

        DeliveryExplanation explanation = explain("slow", "t", QoS.AT_MOST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.DELAYED);
        assertThat(explanation.summary())
                .isEqualTo(
                        "Messages of QoS 0 may be dropped, because the client does not read what it was sent before.");
    }

    @Test
    void theMembersOfAGroupAreNamed() throws Exception {
        there.connect("one").subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");
        here.connect("two").subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");

        DeliveryExplanation explanation = explain("one", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.SHARED);
        assertThat(explanation.groups())
                .containsExactly(new DeliveryExplanation.Group("$share/g/t", List.of("one", "two"), false));
        assertThat(explanation.summary()).contains("with 1 other member.");
    }

    @Test
    void clientsThatFightOverTheIdAreNamed() throws Exception {
        for (int i = 0; i < 4; i++) {
            there.connect("shared");
        }

        DeliveryExplanation explanation = explain("shared", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.contenders())
                .extracting(Contender::address, Contender::closed)
                .containsExactly(tuple("127.0.0.1", 2L));
        assertThat(explanation.summary())
                .startsWith(
                        "The client has no subscriptions. Either several clients use this client id, or one connects again"
                                + " before its lost connection is noticed: connections from 127.0.0.1 (closed 2 times), the last one at ");
    }

    @Test
    void theQosOfTheDeliveryIsThatOfWhichTheRulesDecide() throws Exception {
        there.connect("c").subscribe(QoS.AT_MOST_ONCE, "t");
        apply("default deny", "allow subscribe t qos 0 for everyone");

        DeliveryExplanation explanation = explain("c", "t", QoS.AT_LEAST_ONCE);

        assertThat(explanation.verdict()).isEqualTo(Verdict.DELIVERED);
        assertThat(explanation.qos()).isEqualTo(QoS.AT_MOST_ONCE);
    }

    @Test
    void oldMissedMessagesAreInTheListOnly() throws Exception {
        TestClient slow = there.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t");
        slow.connection().writable(false);
        slow.connection().room(false);
        there.connect("publisher").publish("t", "message");
        slow.connection().writable(true);
        here.advance(Duration.ofMinutes(11));
        there.advance(Duration.ofMinutes(11));

        DeliveryExplanation explanation = explain("slow", "t", QoS.AT_MOST_ONCE);

        assertThat(explanation.drops()).hasSize(1);
        assertThat(explanation.summary()).isEqualTo("The client gets the message, with QoS 0.");
    }
}
