package io.heddle.core.session.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.directory.SessionEntry.Subscribed;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.testkit.InMemorySessionDirectory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SessionDirectoryWriterTest {
    private static final ClientId PUMP = new ClientId("pump-1");

    private final InMemorySessionDirectory directory = new InMemorySessionDirectory();
    private final TestNode node = new TestNode();
    private final SessionDirectoryWriter writer = writer(node);

    private SessionDirectoryWriter writer(TestNode of) {
        return new SessionDirectoryWriter(of.persistent, directory, of.metrics);
    }

    private static Connect persistent(String clientId) {
        return new Connect(clientId).persistent(60);
    }

    private SessionEntry entry() {
        return Objects.requireNonNull(directory.find(PUMP));
    }

    private List<String> filters() {
        return entry().subscriptions().stream()
                .map(Subscribed::topicFilter)
                .sorted()
                .toList();
    }

    private double written() {
        return node.count("heddle.sessions.directory.written");
    }

    private double removed() {
        return node.count("heddle.sessions.directory.removed");
    }

    private double pending() {
        return node.gauge("heddle.sessions.directory.pending");
    }

    @Test
    void theLatestStateOfASessionIsOneRow() {
        TestClient pump = node.connect(persistent("pump-1").userName("alice").packet());
        pump.subscribe(QoS.AT_MOST_ONCE, "a").subscribe(QoS.EXACTLY_ONCE, "b/#");
        pump.send(new UnsubscribePacket(8, List.of(), List.of("a")));
        pump.send(new SubscribePacket(
                9,
                5,
                List.of(),
                List.of(new SubscriptionRequest("c/+", QoS.AT_LEAST_ONCE, true, true, RetainHandling.DO_NOT_SEND))));
        assertThat(pending()).isOne();
        assertThat(directory.puts()).isZero();

        writer.run();

        SessionRecord record =
                Objects.requireNonNull(node.persistent.find(PUMP)).record();
        assertThat(entry().record()).isEqualTo(record);
        assertThat(record.type()).isEqualTo(ClientType.DEVICE);
        assertThat(record.isAway()).isFalse();
        assertThat(entry().subscriptionCount()).isEqualTo(2);
        assertThat(entry().subscriptions())
                .containsExactlyInAnyOrder(
                        new Subscribed("b/#", QoS.EXACTLY_ONCE, false, false, 0),
                        new Subscribed("c/+", QoS.AT_LEAST_ONCE, true, true, 5));
        assertThat(directory.puts()).isOne();
        assertThat(written()).isOne();
        assertThat(pending()).isZero();
    }

    @Test
    void aReconnectIsWritten() {
        TestClient pump = node.connect(persistent("pump-1").packet());
        writer.run();
        pump.lose();
        writer.run();
        assertThat(entry().record().isAway()).isTrue();
        assertThat(entry().record().awaySinceMillis()).isPositive();

        node.connect(persistent("pump-1").packet());
        writer.run();

        assertThat(entry().record().isAway()).isFalse();
        assertThat(written()).isEqualTo(3);
    }

    @Test
    void anUnchangedSessionIsNotWrittenAgain() {
        TestClient pump = node.connect(persistent("pump-1").packet()).subscribe(QoS.AT_MOST_ONCE, "a");
        writer.run();

        pump.subscribe(QoS.AT_MOST_ONCE, "a");
        assertThat(pending()).isOne();
        writer.run();

        assertThat(directory.puts()).isOne();
        assertThat(pending()).isZero();
    }

    @Test
    void anotherQosIsAChange() {
        TestClient pump = node.connect(persistent("pump-1").packet()).subscribe(QoS.AT_MOST_ONCE, "a");
        writer.run();

        pump.subscribe(QoS.AT_LEAST_ONCE, "a");
        writer.run();

        assertThat(entry().subscriptions()).extracting(Subscribed::qos).containsExactly(QoS.AT_LEAST_ONCE);
    }

    @Test
    void endedSessionsAreRemoved() {
        TestClient expiring = node.connect(persistent("pump-1").packet());
        node.connect(persistent("pump-2").packet());
        node.connect(persistent("pump-3").packet());
        writer.run();
        assertThat(directory.size()).isEqualTo(3);

        expiring.lose();
        node.advance(Duration.ofSeconds(61));
        node.connect(new Connect("pump-2").packet());
        writer.run();

        assertThat(directory.find(PUMP)).isNull();
        assertThat(directory.find(new ClientId("pump-2"))).isNull();
        assertThat(directory.find(new ClientId("pump-3"))).isNotNull();
        assertThat(removed()).isEqualTo(2);
    }

    @Test
    void aNewSessionReplacesTheRow() {
        node.connect(persistent("pump-1").packet()).subscribe(QoS.AT_MOST_ONCE, "old");
        writer.run();
        long before = entry().record().generation();
        node.advance(Duration.ofSeconds(1));

        node.connect(persistent("pump-1").cleanStart(true).packet()).subscribe(QoS.AT_MOST_ONCE, "new");
        writer.run();

        assertThat(entry().record().generation()).isGreaterThan(before);
        assertThat(filters()).containsExactly("new");
    }

    @Test
    void clientsAreServedWhileTheDirectoryDoesNotAnswerAndItCatchesUp() {
        TestClient ending = node.connect(persistent("pump-2").packet());
        writer.run();
        directory.unavailable(true);

        TestClient pump = node.connect(persistent("pump-1").packet()).subscribe(QoS.AT_LEAST_ONCE, "a");
        ending.lose();
        node.advance(Duration.ofSeconds(61));
        writer.run();
        pump.subscribe(QoS.AT_LEAST_ONCE, "b");
        writer.run();

        assertThat(node.persistent.isKnown(PUMP)).isTrue();
        assertThat(pending()).isEqualTo(2);
        assertThat(node.count("heddle.sessions.directory.failures", "reason", "unavailable"))
                .isEqualTo(2);

        directory.unavailable(false);
        writer.run();

        assertThat(filters()).containsExactly("a", "b");
        assertThat(directory.find(new ClientId("pump-2"))).isNull();
        assertThat(pending()).isZero();
    }

    @Test
    void theOutcomeOfAFailedCallIsUnknown() {
        TestClient pump = node.connect(persistent("pump-1").packet()).subscribe(QoS.AT_MOST_ONCE, "a");
        writer.run();
        directory.unavailable(true);
        pump.subscribe(QoS.AT_MOST_ONCE, "b");
        writer.run();
        directory.unavailable(false);

        // The state of the latest successful write.
        pump.send(new UnsubscribePacket(8, List.of(), List.of("b")));
        writer.run();

        assertThat(directory.puts()).isEqualTo(2);
    }

    @Test
    void aRejectedEntryDoesNotBlockOthers() {
        directory.reject(PUMP::equals);
        node.connect(persistent("pump-1").packet());
        node.connect(persistent("pump-2").packet());
        TestClient third = node.connect(persistent("pump-3").packet());

        writer.run();
        double rejected = node.count("heddle.sessions.directory.failures", "reason", "rejected");
        third.lose();
        writer.run();

        assertThat(directory.size()).isEqualTo(2);
        assertThat(pending()).isZero();
        assertThat(rejected).isPositive();
        assertThat(node.count("heddle.sessions.directory.failures", "reason", "rejected"))
                .as("it is tried again when it changes")
                .isEqualTo(rejected);
    }

    @Test
    void aStartWritesMissingRowsAndRemovesStaleOnes() {
        TestClient same = node.connect(persistent("same").packet()).subscribe(QoS.AT_LEAST_ONCE, "a");
        TestClient changed = node.connect(persistent("pump-1").packet()).subscribe(QoS.AT_LEAST_ONCE, "a");
        TestClient gone = node.connect(persistent("gone").packet());
        same.lose();
        gone.lose();
        changed.lose();
        writer.run();
        assertThat(written()).isEqualTo(3);
        // A change that the node did not write before it ended.
        node.connect(persistent("pump-1").packet())
                .subscribe(QoS.AT_LEAST_ONCE, "b")
                .lose();
        node.connect(new Connect("gone").packet());
        node.connect(persistent("missing").packet()).lose();

        TestNode next = node.restarted();
        writer(next).run();

        assertThat(filters()).containsExactly("a", "b");
        assertThat(directory.find(new ClientId("gone"))).isNull();
        assertThat(directory.find(new ClientId("missing"))).isNotNull();
        assertThat(next.count("heddle.sessions.directory.written"))
                .as("unchanged rows are not written")
                .isEqualTo(2);
        assertThat(next.count("heddle.sessions.directory.removed")).isOne();
    }

    @Test
    void aReconciliationContinuesWhenTheDirectoryIsBack() {
        node.connect(persistent("pump-1").packet()).lose();
        directory.unavailable(true);
        TestNode next = node.restarted();
        SessionDirectoryWriter itsWriter = writer(next);
        itsWriter.run();
        assertThat(next.count("heddle.sessions.directory.failures", "reason", "unavailable"))
                .isOne();

        directory.unavailable(false);
        itsWriter.run();

        assertThat(entry().record().isAway()).isTrue();
    }

    @Test
    void changesAboveTheBoundAreFoundByReconciliation() {
        node.connect(persistent("pump-1").packet());
        writer.run();
        directory.unavailable(true);
        for (int i = 0; i < 3_000; i++) {
            node.persistent.dirty().add(new ClientId("x".repeat(8_000) + i), 1);
        }
        double full = pending();
        assertThat(full).isLessThan(3_000);
        node.connect(persistent("pump-2").packet());
        node.connect(new Connect("pump-1").packet());
        writer.run();
        assertThat(pending()).isEqualTo(full);

        directory.unavailable(false);
        for (int runs = 0; runs < 10; runs++) {
            writer.run();
        }

        assertThat(directory.find(PUMP)).isNull();
        assertThat(directory.find(new ClientId("pump-2"))).isNotNull();
        assertThat(pending()).isZero();
    }

    @Test
    void manySessionsAreWrittenInBatches() {
        TestNode big = new TestNode(
                new SessionSettings(
                        65_536,
                        8,
                        TopicRules.STANDARD,
                        3,
                        20_000,
                        3_600,
                        3_600,
                        0,
                        100,
                        4,
                        2,
                        TestNode.QUEUE,
                        50,
                        20_000,
                        TestNode.PATIENCE),
                1_000_000_000);
        for (int i = 0; i < 1_200; i++) {
            big.connect(persistent("client-" + i).packet());
        }

        writer(big).run();

        assertThat(directory.size()).isEqualTo(1_200);
        assertThat(directory.puts()).isEqualTo(3);
    }

    @Test
    void anInterruptedRunLeavesTheRestToTheNext() {
        node.connect(persistent("pump-1").packet());
        Thread.currentThread().interrupt();
        writer.run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(directory.size()).isZero();
        assertThat(pending()).isOne();

        writer.run();

        assertThat(directory.size()).isOne();
    }

    @Test
    void veryLongFiltersAreCountedButNotAllShown() {
        PersistentSession session =
                node.persistent.restore(PUMP, new SessionRecord(1, ClientType.DEVICE, null, 60, "", 1, 1));
        for (int i = 0; i < 40; i++) {
            subscribe(session, "x".repeat(60_000) + i);
        }

        SessionEntry entry = SessionEntry.of(session);
        assertThat(entry.subscriptionCount()).isEqualTo(40);
        assertThat(entry.subscriptions()).hasSize(SessionEntry.MAXIMUM_FILTER_CHARS / 60_002);
        assertThat(entry.length()).isLessThan(SessionEntry.MAXIMUM_FILTER_CHARS + 100);

        subscribe(session, "x".repeat(60_000) + 40);
        assertThat(SessionEntry.of(session).fingerprint())
                .as("a subscription that is not shown changes the fingerprint")
                .isNotEqualTo(entry.fingerprint());
    }

    private static void subscribe(PersistentSession session, String filter) {
        session.subscriptions()
                .put(
                        filter,
                        new Subscription(
                                TopicFilter.parse(filter, 8),
                                QoS.AT_MOST_ONCE,
                                false,
                                false,
                                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER));
    }
}
