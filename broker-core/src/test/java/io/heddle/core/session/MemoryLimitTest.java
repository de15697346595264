package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.session.outbound.QueueLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory limit of sessions that end with their connections. */
final class MemoryLimitTest {
    /** The charge for a QoS 2 message that waits for its PUBREL. */
    private static final int UNRELEASED_BYTES = 4;

    private static final int LIMIT = 12_300;
    private static final int MESSAGES = 60;

    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    TopicRules.STANDARD,
                    3,
                    5,
                    3_600,
                    3_600,
                    0,
                    2,
                    4,
                    2,
                    new QueueLimits(1_000, 1_000_000, QueueLimits.Overflow.DROP_OLDEST),
                    50,
                    20_000,
                    TestNode.PATIENCE),
            LIMIT);
    private final TestClient publisher = node.connect("publisher");

    private static final String HUNDRED_BYTES = "x".repeat(100);

    private void publish(String topic, int count) {
        for (int i = 0; i < count; i++) {
            publisher.publish(topic, HUNDRED_BYTES, QoS.AT_LEAST_ONCE, 1);
        }
    }

    private List<ReasonCode> pubAcks() {
        return publisher.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    private TestClient persistent(String clientId) {
        return node.connect(new Connect(clientId).persistent(600).packet());
    }

    private void fill() {
        node.memory.charge(LIMIT);
    }

    @Test
    void aSlowSubscriberDropsItsCopiesWithoutAffectingOthers() {
        node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "#");
        publish("t", MESSAGES);

        double held = node.gauge("heddle.messages.in.flight") + node.gauge("heddle.messages.queued");
        assertThat(held).isBetween(4.0, 10.0);
        assertThat(pubAcks()).hasSize(MESSAGES).containsOnly(ReasonCode.SUCCESS);
        assertThat(node.dropped("memory_limit")).isEqualTo(MESSAGES - held);
        assertThat(node.dropped("publish_refused_memory_limit")).isZero();
        assertThat(watcher.payloads()).hasSize(MESSAGES);
        assertThat(node.connect("new").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aPublishThatFindsTheMemoryFullIsRefused() {
        node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        fill();
        publish("t", 1);
        assertThat(pubAcks()).containsExactly(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.dropped("publish_refused_memory_limit")).isOne();

        publisher.publish("t", HUNDRED_BYTES, QoS.EXACTLY_ONCE, 2);
        assertThat(publisher.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
        // MQTT 3.x has no negative acknowledgement; unacknowledged, the message is still the client's.
        old.sendForbidden(
                TestClient.packet("t", HUNDRED_BYTES, QoS.AT_LEAST_ONCE, 1, false, PublishProperties.NONE),
                ReasonCode.QUOTA_EXCEEDED);
    }

    @Test
    void messagesThatNeedNoMemoryAreAcceptedWhenItIsFull() {
        node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "u");
        fill();

        publisher.publish("t", HUNDRED_BYTES);
        publish("u", 1);
        publish("nobody", 1);

        assertThat(watcher.payloads()).hasSize(1);
        assertThat(pubAcks()).endsWith(ReasonCode.SUCCESS, ReasonCode.NO_MATCHING_SUBSCRIBERS);
    }

    @Test
    void aMessageIsChargedOnceHoweverManySessionsHoldIt() {
        TestClient first = node.connect("first").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient second = node.connect(node.otherLoop, new Connect("second").packet());
        second.subscribe(QoS.AT_LEAST_ONCE, "t");
        long before = node.memory.chargedBytes();
        publish("t", 1);
        assertThat(node.memory.chargedBytes() - before).isBetween(100L + 2 * 64, 399L);

        first.pubAck(first.messages().getFirst().packetId());
        assertThat(node.memory.chargedBytes() - before).isBetween(100L + 64, 335L);
        second.lose();
        assertThat(node.memory.chargedBytes()).isEqualTo(before - TestNode.transientBytes("second") - 322);
    }

    @Test
    void queuedMessagesOfPersistentSessionsTakeNoMemory() {
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        TestClient slow = persistent("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        long before = node.memory.chargedBytes();

        publish("t", 2 * MESSAGES);

        assertThat(node.memory.chargedBytes()).isEqualTo(before);
        assertThat(pubAcks()).hasSize(2 * MESSAGES).containsOnly(ReasonCode.SUCCESS);
        assertThat(slow.payloads()).hasSize(4);
        assertThat(node.dropped("memory_limit")).isZero();
    }

    @Test
    void aFullMemoryDoesNotRefuseMessagesForPersistentSessions() {
        TestClient slow = node.connect(new Connect("slow").receiveMaximum(1).packet());
        slow.subscribe(QoS.AT_LEAST_ONCE, "t");
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "u").lose();
        fill();
        publish("t", 1);
        assertThat(node.dropped("publish_refused_memory_limit")).isPositive();

        publish("u", 1);

        assertThat(pubAcks()).last().isEqualTo(ReasonCode.SUCCESS);
        assertThat(persistent("away").payloads()).hasSize(1);
    }

    @Test
    void aClientWhoseIdentifierFindsNoRoomIsRefused() {
        long before = node.memory.chargedBytes();
        TestClient large = node.connect("x".repeat(6_000));

        assertThat(large.connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
        assertThat(node.connect("small").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aPersistentSessionWithoutRoomIsRefused() {
        String id = "x".repeat(2_700);
        long before = node.memory.chargedBytes();

        // A persistent session is charged twice, for its connection and for itself; another one for its connection and
        // its place.
        assertThat(persistent(id).connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
        assertThat(node.connect(id).connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void anAbsentClientsSessionIsChargedUntilItEnds() {
        long before = node.memory.chargedBytes();
        persistent("x".repeat(1_000)).lose();
        assertThat(node.memory.chargedBytes()).isGreaterThan(before + 2_000);

        node.connect("x".repeat(1_000)).disconnect();

        assertThat(node.memory.chargedBytes()).isEqualTo(before);
    }

    @Test
    void aDeepFilterIsChargedForItsLevels() {
        TestClient client = node.connect("c");
        long before = node.memory.chargedBytes();
        client.subscribe(QoS.AT_MOST_ONCE, "abcdefghijklmno");
        long flat = node.memory.chargedBytes() - before;
        client.subscribe(QoS.AT_MOST_ONCE, "a/b/c/d/e/f/g/h");

        assertThat(node.memory.chargedBytes() - before - flat).isEqualTo(flat + 7 * 64);
    }

    @Test
    void persistentStateLeavesAQuarterOfTheMemoryToConnections() {
        int refused = 0;
        for (int i = 0; i < 3; i++) {
            TestClient leaves = persistent("leaves-" + i);
            if (leaves.connAck().reason() == ReasonCode.SUCCESS) {
                leaves.subscribe(
                        QoS.AT_LEAST_ONCE, "x/".repeat(7) + "a".repeat(1_000), "y/".repeat(7) + "a".repeat(1_000));
                leaves.lose();
            } else {
                refused++;
            }
        }
        assertThat(node.memory.chargedBytes()).isLessThan(LIMIT / 4 * 3 + TestNode.connectedBytes("publisher"));
        assertThat(refused + node.count("heddle.subscriptions.refused")).isPositive();

        node.connect(new Connect("there").receiveMaximum(1).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish("t", 2);

        assertThat(pubAcks()).containsExactly(ReasonCode.SUCCESS, ReasonCode.SUCCESS);
    }

    @Test
    void topicAliasesAreChargedUntilTheirConnectionEnds() {
        long before = node.memory.chargedBytes();
        TestClient client = node.connect("c");
        long connected = node.memory.chargedBytes();
        client.send(aliased("a".repeat(1_000), 1));
        long one = node.memory.chargedBytes() - connected;
        assertThat(one).isGreaterThan(2_000);
        client.send(aliased("a".repeat(1_000), 1));
        assertThat(node.memory.chargedBytes()).as("set again to the same").isEqualTo(connected + one);
        client.send(aliased("b".repeat(10), 1));
        assertThat(node.memory.chargedBytes()).as("set to another").isLessThan(connected + 200);

        client.sendForbidden(aliased("c".repeat(6_000), 2), ReasonCode.QUOTA_EXCEEDED);
        client.lose();
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
    }

    private static PublishPacket aliased(String topic, int alias) {
        return new PublishPacket(
                TopicName.parse(topic, 8),
                alias,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.EMPTY);
    }

    @Test
    void aQosTwoMessageWhoseIdentifierFindsNoRoomIsRefused() {
        node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
        while (node.memory.hasRoom(UNRELEASED_BYTES)) {
            node.memory.charge(UNRELEASED_BYTES);
        }
        publisher.publish("nobody", "m", QoS.EXACTLY_ONCE, 7);

        assertThat(publisher.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.dropped("publish_refused_memory_limit")).isOne();
    }

    @Test
    void allMemoryIsReleasedWhenTheConnectionsEnd() {
        long before = node.memory.chargedBytes();
        TestClient slow = node.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient other = persistent("other").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish("t", MESSAGES);
        assertThat(node.memory.chargedBytes()).isPositive();

        slow.lose();
        other.lose();
        node.connect("other").disconnect();

        assertThat(node.memory.chargedBytes()).isEqualTo(before);
        assertThat(node.gauge("heddle.messages.queued")).isZero();
        assertThat(node.gauge("heddle.messages.in.flight")).isZero();
    }
}
