package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens when the sessions together hold as much as they may. A quarter is for those whose client is connected. */
final class MemoryLimitTest {
    private static final int LIMIT = 10_000;
    private static final int ABSENT_LIMIT = 7_500;
    private static final int MESSAGES = 60;

    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    3,
                    5,
                    3_600,
                    0,
                    2,
                    4,
                    2,
                    new QueueLimits(1_000, 1_000_000, QueueLimits.Overflow.DROP_OLDEST)),
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

    @Test
    void absentSessionsLeaveRoomForTheConnectedOnes() {
        TestClient live = node.connect("live").subscribe(QoS.AT_LEAST_ONCE, "t", "live");
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        for (int i = 0; i < MESSAGES; i++) {
            publish("t", 1);
            live.pubAck(live.messages().getLast().packetId());
        }
        assertThat(node.dropped("memory_limit")).isPositive();
        assertThat(node.gauge("heddle.sessions.memory.absent.bytes"))
                .isBetween(ABSENT_LIMIT - 500.0, (double) ABSENT_LIMIT);

        publish("live", 3);

        assertThat(live.payloads()).hasSize(MESSAGES + 3);
        assertThat(pubAcks()).hasSize(MESSAGES + 3).containsOnly(ReasonCode.SUCCESS);
    }

    @Test
    void aPublishThatNoConnectedSubscriberHasRoomForIsRefused() {
        node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "#");
        publish("t", MESSAGES);

        double held = node.gauge("heddle.messages.in.flight") + node.gauge("heddle.messages.queued");
        assertThat(held).isBetween(30.0, 40.0);
        assertThat(pubAcks()).filteredOn(ReasonCode.SUCCESS::equals).hasSize((int) held);
        assertThat(pubAcks()).filteredOn(ReasonCode.QUOTA_EXCEEDED::equals).hasSize((int) (MESSAGES - held));
        assertThat(node.dropped("publish_refused_memory_limit")).isEqualTo(MESSAGES - held);
        assertThat(node.dropped("memory_limit")).isZero();
        assertThat(watcher.payloads()).hasSize((int) held);

        publisher.publish("t", HUNDRED_BYTES, QoS.EXACTLY_ONCE, 2);
        assertThat(publisher.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
        // Of MQTT 3.x there is no other way to say no, and unacknowledged the message is still the client's.
        node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet())
                .sendForbidden(
                        TestClient.packet("t", HUNDRED_BYTES, QoS.AT_LEAST_ONCE, 1, false, PublishProperties.NONE),
                        ReasonCode.QUOTA_EXCEEDED);
    }

    @Test
    void whatNobodyHasToKeepIsTakenHoweverFullTheMemoryIs() {
        node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "u");
        publish("t", MESSAGES);

        publisher.publish("t", HUNDRED_BYTES);
        publish("u", 1);
        publish("nobody", 1);

        assertThat(watcher.payloads()).hasSize(1);
        assertThat(pubAcks()).endsWith(ReasonCode.SUCCESS, ReasonCode.NO_MATCHING_SUBSCRIBERS);
    }

    @Test
    void aPublishThatOnlyAbsentSubscribersWouldKeepSaysThatTheyHaveNoRoom() {
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("t", MESSAGES);

        double held = node.gauge("heddle.messages.queued");
        assertThat(held).isBetween(20.0, 30.0);
        assertThat(pubAcks()).filteredOn(ReasonCode.SUCCESS::equals).hasSize((int) held);
        assertThat(pubAcks()).filteredOn(ReasonCode.QUOTA_EXCEEDED::equals).hasSize((int) (MESSAGES - held));
        assertThat(node.dropped("memory_limit")).isEqualTo(MESSAGES - held);

        // It cannot be told, and to close would stop it for as long as the others are away.
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        old.publish("t", HUNDRED_BYTES, QoS.AT_LEAST_ONCE, 1);
        assertThat(old.connection().sent(PubAckPacket.class)).hasSize(1);
        assertThat(node.dropped("memory_limit")).isEqualTo(MESSAGES - held + 1);

        publisher.send(TestClient.packet("t", "kept", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        assertThat(pubAcks()).last().isEqualTo(ReasonCode.SUCCESS);
        assertThat(node.connect("late").subscribe(QoS.AT_MOST_ONCE, "t").payloads())
                .containsExactly("kept");
    }

    @Test
    void whoeverIsThereGetsWhatAbsentSubscribersHaveNoRoomFor() {
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "t");

        publish("t", MESSAGES);

        assertThat(watcher.payloads()).hasSize(MESSAGES);
        assertThat(pubAcks()).containsOnly(ReasonCode.SUCCESS);
    }

    @Test
    void aClientThatGoesWhileAbsentSessionsHaveNoRoomLeavesOnlyWhatItWasSent() {
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("t", MESSAGES);
        TestClient slow = persistent("slow").subscribe(QoS.AT_LEAST_ONCE, "slow");
        publish("slow", 6);
        double droppedBefore = node.dropped("memory_limit");
        assertThat(slow.payloads()).hasSize(4);

        slow.lose();

        assertThat(node.dropped("memory_limit") - droppedBefore).isEqualTo(2);
        assertThat(persistent("slow").messages()).hasSize(4);
    }

    @Test
    void aTakeoverDropsNothing() {
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("t", MESSAGES);
        persistent("slow").subscribe(QoS.AT_LEAST_ONCE, "slow");
        publish("slow", 6);
        double droppedBefore = node.dropped("memory_limit");

        TestClient fresh =
                node.connect(node.otherLoop, new Connect("slow").persistent(600).packet());

        assertThat(node.dropped("memory_limit")).isEqualTo(droppedBefore);
        for (int i = 0; i < 6; i++) {
            fresh.pubAck(fresh.messages().get(i).packetId());
        }
        assertThat(fresh.payloads()).hasSize(6);
    }

    @Test
    void everythingIsGivenBackWhenTheSessionsEnd() {
        persistent("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        TestClient slow = persistent("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish("t", MESSAGES);
        slow.lose();
        node.connect("away").disconnect();
        assertThat(node.gauge("heddle.sessions.memory.absent.bytes")).isPositive();

        node.connect("slow").disconnect();

        assertThat(node.gauge("heddle.sessions.memory.absent.bytes")).isZero();
        assertThat(node.memory.takenBytes()).isZero();
    }
}
