package io.heddle.core.session.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.publish.PublishOutcome.Routed;
import io.heddle.core.session.Connect;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.Conformance;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Acknowledgements of QoS 1 and 2 messages that are not durable yet. */
final class PendingAcksTest {
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
                    4,
                    4,
                    2,
                    TestNode.QUEUE,
                    50,
                    20_000,
                    TestNode.PATIENCE),
            1_000_000);
    private final TestClient publisher = node.connect("publisher");

    PendingAcksTest() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.EXACTLY_ONCE, "t")
                .lose();
    }

    private static List<Integer> pubAcks(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::packetId)
                .toList();
    }

    /** Records the acknowledgements in their order. */
    private static final class Events implements PendingAcks.Sender {
        private final List<String> events = new ArrayList<>();

        @Override
        public void acknowledge(PendingAcks.PendingAck ack, PublishOutcome outcome) {
            events.add((ack.twoPhases() ? "rec " : "ack ") + ack.packetId());
        }

        @Override
        public void onFailure(Throwable reason) {
            events.add("failed");
        }

        @Override
        public void onDrained() {
            events.add("drained");
        }
    }

    @Conformance("MQTT-4.6.0-2")
    @Test
    void acknowledgementsOfOneKindLeaveInPacketOrder() {
        ManualEventLoop loop = new ManualEventLoop(0);
        Events sender = new Events();
        PendingAcks acks = new PendingAcks(loop, node.positions, node.lease, sender);
        PublishMessage message = PublishMessages.message("m");
        List<PendingAcks.PendingAck> all = new ArrayList<>();
        for (int packetId = 1; packetId <= 4; packetId++) {
            PendingAcks.PendingAck ack = new PendingAcks.PendingAck(acks, packetId, packetId == 3, null, null, message);
            all.add(ack);
            acks.add(ack);
        }
        assertThat(acks.bytes()).isEqualTo(4L * message.heldBytes());

        all.get(3).onDurable(Routed.TO_NOBODY, null);
        all.get(1).onDurable(Routed.TO_NOBODY, null);
        assertThat(sender.events).as("not on the thread of the log").isEmpty();
        loop.runTasks();
        assertThat(sender.events).containsExactly("drained");
        all.get(2).onDurable(Routed.TO_NOBODY, null);
        all.get(0).onDurable(Routed.TO_NOBODY, null);
        loop.runTasks();

        assertThat(sender.events).containsExactly("drained", "ack 1", "ack 2", "ack 4", "rec 3", "drained");
        assertThat(acks.count()).isZero();
        assertThat(acks.bytes()).isZero();
    }

    @Test
    void aFailureIsReportedInItsTurn() {
        ManualEventLoop loop = new ManualEventLoop(0);
        Events sender = new Events();
        PendingAcks acks = new PendingAcks(loop, node.positions, node.lease, sender);
        PendingAcks.PendingAck first =
                new PendingAcks.PendingAck(acks, 1, false, null, null, PublishMessages.message("m"));
        PendingAcks.PendingAck second =
                new PendingAcks.PendingAck(acks, 2, false, null, null, PublishMessages.message("m"));
        acks.add(first);
        acks.add(second);

        second.onFailed(new IllegalStateException("the log is gone"));
        loop.runTasks();
        first.onDurable(Routed.TO_NOBODY, null);
        loop.runTasks();

        assertThat(sender.events).containsExactly("drained", "ack 1", "failed", "drained");
    }

    @Conformance({"MQTT-3.12.4-1", "MQTT-4.3.2-4", "MQTT-4.6.0-2"})
    @Test
    void pubAckWaitsForTheLogWithoutBlockingOtherPackets() {
        node.log.hold(100);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("nobody", "b", QoS.AT_LEAST_ONCE, 2);
        publisher.send(PingReqPacket.INSTANCE);

        assertThat(pubAcks(publisher)).isEmpty();
        assertThat(publisher.connection().sent(PingRespPacket.class)).hasSize(1);
        assertThat(publisher.connection().isReading()).isTrue();
        node.log.release();
        node.runAll();

        assertThat(pubAcks(publisher)).containsExactly(1, 2);
    }

    @Conformance("MQTT-3.3.4-7")
    @Test
    void aClientMayNotExceedTheAnnouncedReceiveMaximum() {
        node.log.hold(100);
        for (int packetId = 1; packetId <= 4; packetId++) {
            publisher.publish("t", "m", packetId % 2 == 0 ? QoS.AT_LEAST_ONCE : QoS.EXACTLY_ONCE, packetId);
        }

        assertThat(publisher.connection().isReading()).isTrue();
        publisher.sendForbidden(
                TestClient.packet("t", "m", QoS.AT_LEAST_ONCE, 5, false, PublishProperties.NONE),
                ReasonCode.RECEIVE_MAXIMUM_EXCEEDED);
    }

    @Test
    void anMqtt3ClientIsNotReadWhileTooManyAcknowledgementsArePending() {
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        node.log.hold(100);
        for (int packetId = 1; packetId <= 3; packetId++) {
            old.publish("t", "m", QoS.AT_LEAST_ONCE, packetId);
        }
        assertThat(old.connection().isReading()).isTrue();
        // Packets that were read before are still accepted.
        old.publish("t", "m", QoS.AT_LEAST_ONCE, 4);
        old.publish("t", "m", QoS.AT_LEAST_ONCE, 5);
        assertThat(old.connection().isReading()).isFalse();

        node.log.release();
        node.runAll();

        assertThat(pubAcks(old)).containsExactly(1, 2, 3, 4, 5);
        assertThat(old.connection().isReading()).isTrue();
    }

    @Test
    void aClientWithLargeUnacknowledgedMessagesIsNotReadUntilTheyAreDurable() {
        node.log.hold(100);
        // A message above half a MiB is counted twice.
        String large = "x".repeat(1 << 20);
        publisher.publish("t", large, QoS.AT_LEAST_ONCE, 1);
        assertThat(publisher.connection().isReading()).isTrue();
        publisher.publish("t", large, QoS.AT_LEAST_ONCE, 2);
        assertThat(publisher.connection().isReading()).isFalse();

        node.log.release();
        node.runAll();

        assertThat(publisher.connection().isReading()).isTrue();
        assertThat(pubAcks(publisher)).containsExactly(1, 2);
    }

    @Test
    void aMessageThatCannotBeStoredEndsTheConnectionWithoutAcknowledgement() {
        node.log.failWith(new IllegalStateException("the log is gone"));
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);

        assertThat(pubAcks(publisher)).isEmpty();
        assertThat(publisher.disconnected()).containsExactly(ReasonCode.UNSPECIFIED_ERROR);
        assertThat(publisher.connection().isOpen()).isFalse();
        assertThat(node.dropped("append_failed")).isOne();
    }

    @Test
    void messagesBehindAFailedMessageAreNotAccepted() {
        TestClient stored =
                node.connect(new Connect("stored").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        node.log.failNextWith(new IllegalStateException("too much waits"));
        publisher.unsettled().publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.unsettled().publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        node.runAll();

        assertThat(pubAcks(publisher)).isEmpty();
        assertThat(publisher.connection().isOpen()).isFalse();
        assertThat(stored.payloads()).isEmpty();
    }

    @Test
    void aRefusalIsSentInItsTurn() {
        node.log.hold(1);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        assertThat(pubAcks(publisher)).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(publisher.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.SUCCESS, ReasonCode.QUOTA_EXCEEDED);
    }

    @Test
    void messagesBehindAFatalRefusalAreRepeatedInOrder() {
        TestClient stored =
                node.connect(new Connect("stored").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        node.log.hold(1);
        old.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        old.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        // The log has room again.
        node.log.hold(100);
        old.publish("t", "c", QoS.AT_LEAST_ONCE, 3);

        node.log.release();
        node.runAll();

        assertThat(pubAcks(old)).containsExactly(1);
        assertThat(old.connection().isOpen()).isFalse();
        assertThat(stored.payloads()).containsExactly("a");
    }

    @Test
    void aRefusalEndsTheConnectionOfAnMqtt3ClientInItsTurn() {
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        node.log.hold(1);
        old.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        old.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        old.publish("t", "c", QoS.AT_LEAST_ONCE, 3);
        assertThat(old.connection().isOpen()).isTrue();

        node.log.release();
        node.runAll();

        assertThat(pubAcks(old)).containsExactly(1);
        assertThat(old.connection().isOpen()).isFalse();
    }

    @Test
    void pubRecsWaitForTheirTurnEvenWithoutAnAppend() {
        TestClient brief = node.connect("brief");
        node.log.hold(100);
        brief.publish("t", "logged", QoS.EXACTLY_ONCE, 1);
        brief.publish("nobody", "not logged", QoS.EXACTLY_ONCE, 2);
        assertThat(brief.connection().sent(PubRecPacket.class)).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(brief.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::packetId)
                .containsExactly(1, 2);
    }

    @Test
    void anAcknowledgementReleasedAndHeldAgainIsSent() {
        ManualEventLoop loop = new ManualEventLoop(0);
        Events sender = new Events();
        PendingAcks acks = new PendingAcks(loop, node.positions, node.lease, sender);
        PendingAcks.PendingAck ack =
                new PendingAcks.PendingAck(acks, 1, false, null, null, PublishMessages.message("m"));
        acks.add(ack);
        node.applying(false);
        node.positions.appended(0, 1_000, 1, 1);
        node.advance(Duration.ofMillis(51));
        node.positions.appended(0, 1_001, 1, 1);
        ack.onDurable(Routed.TO_NOBODY, new Backlog(0, 1_001));
        loop.runTasks();

        // The bucket catches up and lags again before the event loop checks it.
        node.positions.applied(0, 1_000);
        assertThat(node.positions.isLagging(0)).isFalse();
        node.advance(Duration.ofMillis(51));
        node.positions.appended(0, 1_002, 1, 1);
        loop.runTasks();
        assertThat(sender.events).containsExactly("drained", "drained");
        node.positions.applied(0, 1_001);
        loop.runTasks();

        assertThat(sender.events).containsExactly("drained", "drained", "ack 1", "drained");
    }
}
