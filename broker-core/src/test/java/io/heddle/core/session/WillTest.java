package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The conditions under which a will is published. */
final class WillTest {
    private final TestNode node = new TestNode();

    private final TestClient watcher = node.connect("watcher").subscribe(QoS.AT_LEAST_ONCE, "wills");

    @Conformance(mqtt311 = {"MQTT-3.1.2-8", "MQTT-3.1.2-10", "MQTT-3.14.4-3"})
    @Test
    void aWillIsPublishedWhenTheConnectionIsLostButNotAfterANormalDisconnect() {
        node.connect(new Connect("lost").version(MqttVersion.V3_1_1).will(0).packet())
                .lose();
        node.connect(new Connect("polite").version(MqttVersion.V3_1_1).will(0).packet())
                .disconnect();

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(node.count("heddle.wills.published")).isOne();
    }

    @Conformance("MQTT-3.1.2-8")
    @Test
    void disconnectMayAskForTheWill() {
        TestClient client = node.connect(new Connect("c").will(0).packet());
        client.send(DisconnectPacket.of(ReasonCode.DISCONNECT_WITH_WILL_MESSAGE, null));
        client.closed();

        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Conformance({"MQTT-3.1.2-8", "MQTT-3.1.2-10"})
    @Test
    void aWillWaitsForItsDelay() {
        node.connect(new Connect("c").persistent(60).will(5).packet()).lose();

        node.advance(Duration.ofMillis(4_999));
        assertThat(watcher.payloads()).isEmpty();
        node.advance(Duration.ofMillis(1));
        assertThat(watcher.payloads()).containsExactly("gone");
        node.advance(Duration.ofSeconds(60));
        assertThat(watcher.payloads()).hasSize(1);
    }

    @Conformance("MQTT-3.1.3-9")
    @Test
    void aWillIsNotPublishedWhenTheClientReconnectsWithinTheDelay() {
        node.connect(new Connect("c").persistent(60).will(5).packet()).lose();
        node.advance(Duration.ofSeconds(4));
        node.connect(node.otherLoop, new Connect("c").persistent(60).packet());
        node.advance(Duration.ofSeconds(60));

        assertThat(watcher.payloads()).isEmpty();
    }

    @Conformance("MQTT-3.1.2-8")
    @Test
    void aWillIsPublishedAtTheLatestWhenTheSessionEnds() {
        node.connect(new Connect("brief").will(5).packet()).lose();
        assertThat(watcher.payloads()).hasSize(1);

        node.connect(new Connect("longer").persistent(3).will(5).packet()).lose();
        node.advance(Duration.ofSeconds(3));
        assertThat(watcher.payloads()).hasSize(2);
    }

    @Test
    void aWillOnASystemTopicIsRefusedAtConnect() {
        ConnectPacket packet = new Connect("c").will(0).packet();
        io.heddle.core.mqtt.packet.WillMessage will = new io.heddle.core.mqtt.packet.WillMessage(
                TopicName.parse("$SYS/x", 8), BinaryData.EMPTY, QoS.AT_MOST_ONCE, false, 0, PublishProperties.NONE);

        TestClient client =
                node.connect(new ConnectPacket(packet.version(), "c", true, 0, will, null, null, packet.properties()));

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Conformance("MQTT-3.1.2-10")
    @Test
    void aWillIsChargedFromConnectUntilItIsDiscardedOrPublished() {
        long without = node.memory.chargedBytes() + TestNode.persistentBytes("c");
        TestClient polite = node.connect(new Connect("c").persistent(60).will(5).packet());
        long held = node.memory.chargedBytes() - without - TestNode.connectedBytes("c");
        assertThat(held).isPositive();
        polite.disconnect();
        assertThat(node.memory.chargedBytes()).isEqualTo(without);

        node.connect(new Connect("c").persistent(60).will(5).packet()).lose();
        assertThat(node.memory.chargedBytes()).isEqualTo(without + held);
        node.connect(new Connect("c").persistent(60).packet()).disconnect();
        assertThat(node.memory.chargedBytes()).isEqualTo(without);

        TestClient taken = node.connect(new Connect("d").will(0).packet());
        node.connect("d").disconnect();
        taken.closed();
        watcher.pubAck(1);
        assertThat(node.memory.chargedBytes()).isEqualTo(without);
    }

    @Test
    void aClientWhoseWillFindsNoRoomIsRefused() {
        TestNode small = new TestNode(TestNode.SETTINGS, TestNode.transientBytes("first") + 200);
        TestClient first = small.connect(new Connect("first").will(0).packet());
        TestClient second = small.connect(new Connect("second").will(0).packet());
        TestClient old = small.connect(
                new Connect("old").version(MqttVersion.V3_1_1).will(0).packet());

        assertThat(first.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(second.connection().isOpen()).isFalse();
        assertThat(old.connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(small.count("heddle.wills.refused")).isEqualTo(2);
        assertThat(small.gauge("heddle.sessions")).isOne();
        first.disconnect();
        assertThat(small.memory.chargedBytes()).isZero();
        assertThat(small.connect(new Connect("second").will(0).packet())
                        .connAck()
                        .reason())
                .isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void theWillOfARefusedClientReleasesItsMemory() {
        for (int i = 1; i < TestNode.SETTINGS.maximumSessions(); i++) {
            node.connect("c" + i);
        }
        long before = node.memory.chargedBytes();

        TestClient refused = node.connect(new Connect("one more").will(0).packet());

        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
    }

    @Test
    void aClientWithoutConnAckHasNoWill() {
        TestClient tooLarge =
                node.begin(node.otherLoop, new Connect("narrow").will(0).packet());
        tooLarge.connection().refusePackets();
        node.connect(new Connect("left").persistent(60).packet()).lose();
        TestClient gone = node.begin(
                node.otherLoop, new Connect("left").persistent(0).will(0).packet());
        node.otherLoop.runNext(1);
        node.loop.runTasks();
        gone.connection().lose();
        node.runAll();

        assertThat(gone.established()).isEmpty();
        assertThat(node.count("heddle.connects", "outcome", "gone")).isOne();
        assertThat(watcher.payloads()).isEmpty();
    }

    @Test
    void eachConnectionsWillHasItsOwnDelay() {
        long before = node.memory.chargedBytes();
        node.connect(new Connect("c").persistent(60).will(5).packet()).lose();
        node.advance(Duration.ofSeconds(4));
        TestClient back = node.connect(
                node.otherLoop, new Connect("c").persistent(60).will(5).packet());
        node.advance(Duration.ofSeconds(4));
        back.lose();

        node.advance(Duration.ofMillis(4_999));
        assertThat(watcher.payloads()).isEmpty();
        node.advance(Duration.ofMillis(1));

        assertThat(watcher.payloads()).containsExactly("gone");
        watcher.pubAck(1);
        assertThat(node.memory.chargedBytes()).isEqualTo(before + TestNode.persistentBytes("c"));
    }

    @Test
    void aDelayedWillIsKeptWhileTheClientIsRefused() {
        node.connect(new Connect("c").persistent(60).will(5).packet()).lose();
        node.stores.registry.failWith(new io.heddle.core.StoreUnavailableException("the store is away", null));
        node.connect(new Connect("c").persistent(60).packet());
        node.advance(Duration.ofSeconds(5));

        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Conformance({"MQTT-3.1.2-8", "MQTT-3.1.2-10"})
    @Test
    void aWillThatIsDueWhenTheSessionEndsIsPublishedOnce() {
        node.connect(new Connect("c").persistent(5).will(5).packet()).lose();
        node.advance(Duration.ofSeconds(60));

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(node.count("heddle.wills.published")).isOne();
    }

    @Test
    void aWillRejectedByAFullLogIsPublishedLater() {
        node.connect(new Connect("subscriber").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "wills")
                .lose();
        node.log.hold(0);
        node.connect(new Connect("c").persistent(60).will(0).packet()).lose();
        node.connect(new Connect("later").persistent(60).will(1).packet()).lose();
        node.advance(Duration.ofSeconds(2));
        assertThat(watcher.payloads()).isEmpty();

        node.log.release();
        node.advance(Duration.ofSeconds(1));

        assertThat(watcher.payloads()).containsExactly("gone", "gone");
        assertThat(node.count("heddle.wills.published")).isEqualTo(2);
    }

    @Test
    void aStopWaitsForWillsBeingPublished() throws InterruptedException {
        node.wills.awaitArrival(Duration.ofMinutes(1));
        node.connect(new Connect("subscriber").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "wills")
                .lose();
        TestClient client = node.connect(new Connect("c").persistent(60).will(0).packet());
        node.log.hold(10);
        client.lose();
        node.wills.awaitArrival(Duration.ofMillis(1));
        Thread stopping = Thread.ofPlatform().name("stopping").start(() -> {
            try {
                node.wills.awaitArrival(Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);

        node.log.release();

        assertThat(stopping.join(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void theWillOfAPersistentSessionIsChargedAsPersistent() {
        double before = node.gauge("heddle.sessions.memory.persistent.bytes") + TestNode.persistentBytes("c");
        TestClient client = node.connect(new Connect("c").persistent(60).will(5).packet());
        double with = node.gauge("heddle.sessions.memory.persistent.bytes");
        assertThat(with).isGreaterThan(before);

        client.lose();
        assertThat(node.gauge("heddle.sessions.memory.persistent.bytes")).isEqualTo(with);
        node.advance(Duration.ofSeconds(5));

        assertThat(node.gauge("heddle.sessions.memory.persistent.bytes")).isEqualTo(before);
    }

    @Test
    void theWillOfAnEndedSessionIsPublishedThoughItsDelayIsNotOver() {
        node.connect(new Connect("c").persistent(60).will(50).packet()).lose();
        node.connect("c");

        assertThat(watcher.payloads()).containsExactly("gone");
        node.advance(Duration.ofSeconds(60));
        assertThat(watcher.payloads()).hasSize(1);
    }
}
