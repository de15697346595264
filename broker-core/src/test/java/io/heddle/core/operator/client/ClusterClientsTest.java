package io.heddle.core.operator.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.query.TwoNodesFixture;
import io.heddle.core.session.Connect;
import io.heddle.core.session.SessionAdministration.Ended;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked. Only questions connect them: each has stores of its own. */
final class ClusterClientsTest extends TwoNodesFixture {
    private static final int BYTES_OF_A_CURSOR = 0xffff;

    /** Leaves 444 bytes for the entries of a page. */
    private static final int MAXIMUM_PAYLOAD_BYTES = BYTES_OF_A_CURSOR + 458;

    private final TestNode here = new TestNode();
    private final TestNode there = new TestNode();
    private final Clients clients = clients(here, a);

    ClusterClientsTest() {
        super(MAXIMUM_PAYLOAD_BYTES);
        var _ = clients(there, b);
    }

    private Clients clients(TestNode node, Incarnation self) {
        return new ClusterClients(questions(self), node.sessions, node.persistent, node.trie);
    }

    /** Calls on another thread, while this one runs the event loops and delivers frames. */
    private <T> T call(Callable<T> method) throws Exception {
        return ask(method, here, there);
    }

    private static ClientQuery query(@Nullable String after, int limit) {
        return new ClientQuery(ClientFilter.ALL, after, false, limit);
    }

    private static List<String> ids(ClientPage page) {
        return page.entries().stream().map(ClientEntry::clientId).toList();
    }

    @Test
    void theListHasTheConnectedClientsOfAllNodesAndThoseThatAreAway() throws Exception {
        here.connect("c");
        here.connect(new Connect("b").persistent(60).packet()).lose();
        there.connect(new Connect("a").persistent(60).packet());
        there.connect("d");

        ClientPage page = call(() -> clients.list(query(null, 10)));

        assertThat(ids(page)).containsExactly("a", "b", "c", "d");
        assertThat(page.entries())
                .extracting(ClientEntry::state)
                .containsExactly(ClientState.CONNECTED, ClientState.AWAY, ClientState.CONNECTED, ClientState.CONNECTED);
        assertThat(Objects.requireNonNull(page.entries().getFirst().connection())
                        .nodeId())
                .isEqualTo("b");
        assertThat(page.entries().getFirst().expirySeconds()).isEqualTo(60);
        assertThat(page.next()).isNull();
        assertThat(page.missingNodes()).isEmpty();
        assertThat(ids(call(() -> clients.list(query("b", 1))))).containsExactly("c");
    }

    @Test
    void theDetailsNameTheLatestMessageThatAQueueHasDropped() throws Exception {
        ClientId full = new ClientId("full");
        there.connect(new Connect("full").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        there.connect(new Connect("other").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t/u")
                .lose();
        TestClient publisher = there.connect("publisher");
        for (int i = 1; i <= 4; i++) {
            publisher.publish("t", "m", QoS.AT_LEAST_ONCE, i);
        }
        assertThat(call(() -> clients.find(full)).queueDrop()).isNull();

        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 5);

        QueueDrop drop = Objects.requireNonNull(call(() -> clients.find(full)).queueDrop());
        assertThat(drop.reason()).isEqualTo(QueueDrop.Reason.QUEUE_FULL);
        assertThat(drop.millis()).isPositive().isLessThanOrEqualTo(there.clock.millis());
        assertThat(call(() -> clients.find(new ClientId("other"))).queueDrop()).isNull();

        QueueDrop later = new QueueDrop(QueueDrop.Reason.EXPIRED, drop.millis() + 1);
        Objects.requireNonNull(there.persistent.find(full)).onQueueDropped(later.reason(), later.millis());
        assertThat(call(() -> clients.find(full)).queueDrop()).isEqualTo(later);
    }

    @Test
    void aPageThatDoesNotFitIntoAFrameIsCut() throws Exception {
        for (int i = 0; i < 4; i++) {
            there.connect(i + "x".repeat(150));
        }
        List<String> all = new ArrayList<>();

        ClientPage page = call(() -> clients.list(query(null, 10)));
        assertThat(page.entries()).hasSizeLessThan(4);
        all.addAll(ids(page));
        for (int pages = 1; page.next() != null; pages++) {
            assertThat(pages).isLessThan(4);
            String after = page.next();
            page = call(() -> clients.list(query(after, 10)));
            all.addAll(ids(page));
        }

        assertThat(all).extracting(each -> each.substring(0, 1)).containsExactly("0", "1", "2", "3");
    }

    @Test
    void aNodeThatDoesNotAnswerIsMissing() throws Exception {
        here.connect("c");
        there.connect("d");
        links.cut(a, b);

        ClientPage page = call(() -> clients.list(query(null, 10)));
        assertThat(ids(page)).containsExactly("c");
        assertThat(page.missingNodes()).containsExactly("b");
        ClientDetails unknown = call(() -> clients.find(new ClientId("d")));
        assertThat(unknown.client()).isNull();
        assertThat(unknown.missingNodes()).containsExactly("b");
        assertThat(call(() -> clients.find(new ClientId("c"))).client()).isNotNull();
        assertThat(call(() -> clients.disconnect(new ClientId("d"), ReasonCode.ADMINISTRATIVE_ACTION))
                        .missingNodes())
                .containsExactly("b");
        assertThat(call(() -> clients.endSession(new ClientId("d")))).isInstanceOf(Ended.Unknown.class);
    }

    @Test
    void aClientOfAnotherNodeIsShownAndDisconnected() throws Exception {
        ClientId id = new ClientId("d");
        TestClient client = there.connect("d").subscribe(QoS.AT_LEAST_ONCE, "t", "s");
        here.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_MOST_ONCE, "t");

        assertThat(call(() -> clients.find(id)).subscriptions()).isEqualTo(2);
        SubscriptionPage first = Objects.requireNonNull(
                call(() -> clients.subscriptions(id, null, 1)).page());
        assertThat(first.entries()).extracting(SubscriptionEntry::topicFilter).containsExactly("s");
        assertThat(first.next()).isEqualTo("s");
        SubscriptionPage second = Objects.requireNonNull(
                call(() -> clients.subscriptions(id, "s", 1)).page());
        assertThat(second.entries()).extracting(SubscriptionEntry::topicFilter).containsExactly("t");
        assertThat(second.next()).isNull();
        SubscriberPage subscribers =
                call(() -> clients.subscribers(new SubscriberQuery(new Of.Topic(TopicName.parse("t", 8)), null, 10)));
        assertThat(subscribers.entries())
                .extracting(SubscriberPage.Subscriber::clientId, SubscriberPage.Subscriber::isPersistent)
                .containsExactly(tuple("d", false), tuple("p", true));

        assertThat(call(() -> clients.filters(new FilterPage.Query("", null, 10)))
                        .entries())
                .containsExactly(new FilterPage.Entry("s", 1, 1), new FilterPage.Entry("t", 2, 2));

        assertThat(call(() -> clients.disconnect(id, ReasonCode.SERVER_BUSY)).nodeId())
                .isEqualTo("b");

        assertThat(client.disconnected()).containsExactly(ReasonCode.SERVER_BUSY);
        client.lose();
        assertThat(call(() -> clients.disconnect(id, ReasonCode.SERVER_BUSY)).nodeId())
                .isNull();
        assertThat(call(() -> clients.find(id)).client()).isNull();
    }

    @Test
    void theLastDisconnectionOfAClientWithoutSessionIsKnownToAllNodes() throws Exception {
        ClientId id = new ClientId("d");
        there.connect("d").lose();

        ClientDetails details = call(() -> clients.find(id));
        LastDisconnection last = Objects.requireNonNull(details.lastDisconnection());
        assertThat(details.client()).isNull();
        assertThat(last.reason()).isEqualTo("closed_without_disconnect");
        assertThat(last.millis()).isEqualTo(there.clock.millis());
        assertThat(last.client().clientId()).isEqualTo("d");
        assertThat(Objects.requireNonNull(last.client().connection()).nodeId()).isEqualTo("b");

        there.advance(Duration.ofSeconds(1));
        here.advance(Duration.ofSeconds(2));
        here.connect("d").disconnect();
        there.connect("d");

        ClientDetails connected = call(() -> clients.find(id));
        assertThat(connected.client()).isNotNull();
        assertThat(Objects.requireNonNull(connected.lastDisconnection()).reason())
                .isEqualTo("disconnect_packet");
    }

    private static ClientFilter away(String glob, @Nullable Long beforeMillis) {
        return new ClientFilter(null, glob, null, null, null, null, null, null, null, beforeMillis);
    }

    @Test
    void theSessionsOfManyClientsThatAreAwayEnd() throws Exception {
        for (int i = 0; i < 3; i++) {
            here.connect(new Connect("mqttjs_" + i).persistent(600).packet()).lose();
        }
        here.connect(new Connect("other").persistent(600).packet()).lose();
        here.advance(Duration.ofSeconds(10));
        long now = here.clock.millis();
        here.connect(new Connect("mqttjs_late").persistent(600).packet()).lose();
        TestClient connected =
                here.connect(new Connect("mqttjs_2").persistent(600).packet());

        assertThat(call(() -> clients.endSessions(away("mqttjs_*", now), true)))
                .isEqualTo(new EndedSessions(2, true, List.of(), List.of()));
        assertThat(here.persistent.inOrder().all()).hasSize(5);
        assertThat(call(() -> clients.endSessions(away("mqttjs_*", now), false)))
                .isEqualTo(new EndedSessions(2, true, List.of(), List.of()));

        assertThat(here.persistent.inOrder().all()).containsOnlyKeys("mqttjs_2", "mqttjs_late", "other");
        assertThat(connected.connection().isOpen()).isTrue();
        assertThat(call(() -> clients.endSessions(away("*", null), false)).sessions())
                .isEqualTo(2);
    }

    /** The registrar has its CONNECT before the end of the session, which was listed as away. */
    @Test
    void aClientThatConnectsMeanwhileKeepsItsSession() throws Exception {
        Connect connect = new Connect("mqttjs_1").persistent(600);
        here.connect(connect.packet()).lose();
        boolean isDecidedOnFirstLoop = here.persistent.bucket(new ClientId("mqttjs_1")) == 0;
        ManualEventLoop loop = isDecidedOnFirstLoop ? here.otherLoop : here.loop;
        TestClient connecting = here.begin(loop, connect.packet());
        loop.runTasks();
        FutureTask<EndedSessions> ends = new FutureTask<>(() -> clients.endSessions(away("*", null), false));
        Thread caller = Thread.ofPlatform().start(ends);
        while (caller.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        here.runAll();

        assertThat(ends.get()).isEqualTo(new EndedSessions(0, true, List.of(), List.of("mqttjs_1")));
        assertThat(connecting.connAck().sessionPresent()).isTrue();
        assertThat(connecting.connection().isOpen()).isTrue();
    }
}
