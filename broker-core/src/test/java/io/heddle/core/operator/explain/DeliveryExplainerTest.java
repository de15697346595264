package io.heddle.core.operator.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.client.PastMessages.OfClient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.operator.client.ClusterClients;
import io.heddle.core.operator.client.NextMember;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.explain.DeliveryExplanation.Group;
import io.heddle.core.operator.explain.PastDeliveries.Outcome;
import io.heddle.core.operator.explain.PastDeliveries.PastMessage;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.TwoNodesFixture;
import io.heddle.core.session.Connect;
import io.heddle.core.session.RulesTest;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked about clients of the second. The window of a client has 4 messages, its queue another 4. */
final class DeliveryExplainerTest extends TwoNodesFixture {
    private final TestNode here = new TestNode();
    private final SessionSettings settings = RulesTest.settings("default allow");
    private final TestNode there = new TestNode(settings, 1_000_000);
    private final NodeQuestions questions = questions(a);
    private final DeliveryExplainer explainer = explainer(here, questions);
    private int version;

    DeliveryExplainerTest() {
        var _ = explainer(there, questions(b));
    }

    private static DeliveryExplainer explainer(TestNode node, NodeQuestions asked) {
        DeliveryExplainer created = new DeliveryExplainer(
                asked,
                new ClusterClients(asked, node.sessions, node.persistent, node.trie),
                node.persistent,
                node.clock);
        created.answer(node.sessions);
        return created;
    }

    private DeliveryExplanation explain(String clientId, String topic, QoS qos) throws Exception {
        return explain(clientId, topic, qos, null);
    }

    /** Returns what became of the messages of the last ten minutes. */
    private PastDeliveries past(String clientId, String topic) throws Exception {
        Instant since = Instant.ofEpochMilli(there.clock.millis()).minus(Duration.ofMinutes(10));
        return Objects.requireNonNull(
                explain(clientId, topic, QoS.AT_LEAST_ONCE, since).past());
    }

    /** A node begins to remember the messages for a client, as a trace of its client id has all nodes do. */
    private static void remember(TestNode node, String clientId) {
        var _ = node.incidents.pastMessages().of(new ClientId(clientId), node.clock.millis());
    }

    private DeliveryExplanation explain(String clientId, String topic, QoS qos, @Nullable Instant since)
            throws Exception {
        return ask(
                () -> explainer.explain(new ClientId(clientId), TopicName.parse(topic, Integer.MAX_VALUE), qos, since),
                here,
                there);
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
        assertThat(explanation.groups()).hasSize(1);
        assertThat(explanation.groups().getFirst())
                .returns("$share/g/t", Group::topicFilter)
                .returns(List.of("one", "two"), Group::members)
                .returns(false, Group::hasMore);
        // The nodes do not exchange their subscribers here.
        assertThat(explanation.groups().getFirst().next())
                .returns("a", NextMember::node)
                .returns("two", NextMember::clientId)
                .extracting(NextMember::explanation)
                .isEqualTo("A message that is published at node a now goes to two: it is the turn of this member.");
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

    @Test
    void pastMessagesOfAClientThatMissesSomeAreTold() throws Exception {
        TestClient publisher = there.connect("publisher");
        TestClient slow = there.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        for (int i = 0; i < 9; i++) {
            publisher.publish("t", "message", QoS.AT_LEAST_ONCE, 1);
        }
        // Four are in flight, and one was missed. What follows is remembered.
        for (int i = 0; i < 6; i++) {
            slow.pubAck(slow.messages().get(i).packetId());
        }

        PastDeliveries past = past("slow", "t");

        assertThat(past.summary())
                .startsWith("Of 5 remembered messages on t for the client since ")
                .contains(
                        ", 2 were delivered and acknowledged, 2 were sent and not acknowledged, 1 was dropped because its queue"
                                + " was full (queue_full).")
                .contains(" Node b remembers deliveries to the client since ")
                .endsWith(" only.");
        assertThat(past.messages())
                .extracting(PastMessage::outcome, PastMessage::packetId, PastMessage::node)
                .containsExactlyInAnyOrder(
                        tuple(Outcome.DROPPED, 0, "b"),
                        tuple(Outcome.ACKNOWLEDGED, slow.messages().get(4).packetId(), "b"),
                        tuple(Outcome.ACKNOWLEDGED, slow.messages().get(5).packetId(), "b"),
                        tuple(Outcome.NOT_ACKNOWLEDGED, slow.messages().get(6).packetId(), "b"),
                        tuple(Outcome.NOT_ACKNOWLEDGED, slow.messages().get(7).packetId(), "b"));
        assertThat(past("slow", "v").summary()).startsWith("No node remembers a message on v for the client since ");
        assertThat(explain("slow", "t", QoS.AT_LEAST_ONCE).past()).isNull();
    }

    @Test
    void deliveriesOfEachQosAreRememberedOnceItBegins() throws Exception {
        TestClient publisher = there.connect("publisher");
        TestClient client = there.connect("c").subscribe(QoS.EXACTLY_ONCE, "t");
        publisher.publish("t", "before", QoS.AT_LEAST_ONCE, 1);
        client.pubAck(1);
        remember(there, "c");
        publisher.publish("t", "zero");
        publisher.publish("t", "two", QoS.EXACTLY_ONCE, 2);
        publisher.pubRel(2);
        client.pubRec(client.messages().getLast().packetId());

        assertThat(past("c", "t").messages())
                .extracting(PastMessage::outcome, PastMessage::qos, PastMessage::payloadBytes)
                .containsExactlyInAnyOrder(
                        tuple(Outcome.SENT, QoS.AT_MOST_ONCE, 4), tuple(Outcome.ACKNOWLEDGED, QoS.EXACTLY_ONCE, 3));
        assertThat(past("c", "t").summary())
                .contains("1 was delivered and acknowledged, 1 was sent with QoS 0, which clients do not acknowledge.");
    }

    @Test
    void aMessageThatAnotherNodeSendsAgainIsOneMessage() throws Exception {
        long nowMillis = there.clock.millis();
        OfClient earlier = there.incidents.pastMessages().of(new ClientId("c"), nowMillis);
        earlier.sent(nowMillis, "t", QoS.AT_LEAST_ONCE, 3, 9, false);
        OfClient later = here.incidents.pastMessages().of(new ClientId("c"), nowMillis);
        later.sent(nowMillis + 5, "t", QoS.AT_LEAST_ONCE, 3, 9, true);
        later.acknowledged(nowMillis + 6, 9);

        PastDeliveries past = past("c", "t");

        assertThat(past.messages())
                .extracting(PastMessage::node, PastMessage::outcome)
                .containsExactly(tuple("a", Outcome.ACKNOWLEDGED));
        assertThat(past.summary())
                .startsWith("The only remembered message on t for the client since ")
                .contains(" was delivered and acknowledged.");
    }

    @Test
    void aStoredMessageThatTheClientRefusesIsMissed() throws Exception {
        TestClient client =
                there.connect(new Connect("c").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        remember(there, "c");
        there.connect("publisher").publish("t", "message", QoS.AT_LEAST_ONCE, 1);
        client.send(new PubAckPacket(
                client.messages().getFirst().packetId(), ReasonCode.UNSPECIFIED_ERROR, null, List.of()));

        assertThat(past("c", "t").summary())
                .contains(" was dropped because the client answered with an error (refused_by_client).");
        assertThat(past("c", "t").messages())
                .extracting(PastMessage::outcome, PastMessage::payloadBytes)
                .containsExactly(tuple(Outcome.DROPPED, 7));
    }

    @Test
    void aNodeThatDoesNotAnswerMayRememberMore() throws Exception {
        remember(here, "c");
        links.cut(a, b);

        assertThat(past("c", "t").summary())
                .startsWith("No node that has answered remembers a message on t for the client since ")
                .contains(" Node b has not answered; what it remembers is missing.")
                .doesNotContain("No node remembers");
    }

    @Test
    void nodesThatHaveStartedOrEndedSinceThenAreNamed() throws Exception {
        String started = " has started at "
                + Instant.ofEpochMilli(here.clock.millis()).truncatedTo(ChronoUnit.SECONDS)
                + " and knows nothing of the time before.";
        assertThat(past("c", "t").summary()).contains(" Node a" + started, " Node b" + started);

        advance(Duration.ofMinutes(11));
        String ended = " Node b has ended at "
                + Instant.ofEpochMilli(here.clock.millis()).truncatedTo(ChronoUnit.SECONDS)
                + "; what it had seen is unknown.";
        assertThat(past("c", "t").summary()).doesNotContain("has started", "has ended");
        log.kill(a, b);
        questions.onView(log.view());

        assertThat(past("c", "t").summary())
                .startsWith("No node remembers a message on t for the client since ")
                .contains(ended)
                .doesNotContain("has started");
    }

    private void advance(Duration time) {
        here.advance(time);
        there.advance(time);
    }

    private void sentHere() {
        OfClient client = here.incidents.pastMessages().of(new ClientId("c"), here.clock.millis());
        client.sent(here.clock.millis(), "t", QoS.AT_LEAST_ONCE, 3, 9, false);
    }

    @Test
    void aClientThatWasElsewhereAfterwardsMayHaveAcknowledgedAMessageThere() throws Exception {
        advance(Duration.ofMinutes(11));
        there.connect("c").lose();
        advance(Duration.ofSeconds(1));
        sentHere();
        assertThat(past("c", "t").summary()).contains(" was sent and not acknowledged.");

        advance(Duration.ofSeconds(1));
        TestClient client = there.connect("c");
        String elsewhere = " was sent at a and not acknowledged there (the client was at another node afterwards).";
        assertThat(past("c", "t").summary()).contains(elsewhere);
        client.lose();
        assertThat(past("c", "t").summary()).contains(elsewhere);
    }

    @Test
    void aClientThatHasStayedHasNotAcknowledgedAMessageElsewhere() throws Exception {
        advance(Duration.ofMinutes(11));
        TestClient client = here.connect("c");
        sentHere();
        advance(Duration.ofSeconds(1));
        log.kill(a, b);
        questions.onView(log.view());

        assertThat(past("c", "t").summary()).contains(" was sent and not acknowledged.");
        client.lose();
        assertThat(past("c", "t").summary())
                .contains(
                        " was sent at a and not acknowledged there (the client may have been at another node afterwards).");
    }

    @Test
    void withoutMemoryItIsSaidHowToGetOne() throws Exception {
        there.connect("c").subscribe(QoS.AT_LEAST_ONCE, "t");

        assertThat(past("c", "t"))
                .returns(List.of(), PastDeliveries::nodes)
                .extracting(PastDeliveries::summary)
                .asString()
                .startsWith("No node remembers a message on t for the client since ")
                .contains("The node that the client is connected to, b, does not remember deliveries to it.")
                .contains("./heddle admin trace --client-id");
        assertThat(past("nobody", "t").summary()).contains(" No node remembers deliveries to the client.");
    }

    @Test
    void theBoundsOfTheMemoryAreNamed() throws Exception {
        remember(here, "c");
        here.advance(Duration.ofMinutes(11));
        there.advance(Duration.ofMinutes(11));
        OfClient client = here.incidents.pastMessages().of(new ClientId("c"), 0);
        for (int i = 0; i <= PastMessages.DELIVERIES; i++) {
            client.sent(here.clock.millis(), "t", QoS.AT_MOST_ONCE, 3, 0, false);
        }
        for (int i = 0; i <= PastMessages.DROPS; i++) {
            client.add(here.clock.millis(), "queue_full", null, QoS.AT_LEAST_ONCE, PastMessages.UNKNOWN_BYTES);
        }

        assertThat(past("c", "t").summary())
                .startsWith("Of 64 remembered messages on t for the client since ")
                .contains(
                        " 16 messages of unknown topic were dropped, too:",
                        " Node a remembers the last 64 deliveries to the client only, which begin at ",
                        " Node a remembers the last 16 messages that the client has missed only, which begin at ");
    }
}
