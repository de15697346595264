package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Delivery at QoS 1 and 2: acknowledgements, flow control and queues. The window has 4 messages, the queue another 4. */
final class OutboundQosTest {
    private final TestNode node = new TestNode();

    private static final int FIRST_ID = 1;

    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.EXACTLY_ONCE, "t/#");
    private final TestClient publisher = node.connect("publisher");
    /** What the subscription costs. */
    private final long idleBytes = node.memory.chargedBytes();

    private void publish(QoS qos, String... payloads) {
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
    }

    private List<Integer> released() {
        return subscriber.connection().sent(PubRelPacket.class).stream()
                .map(PubRelPacket::packetId)
                .toList();
    }

    @Conformance({"MQTT-4.3.2-1", "MQTT-4.3.2-2", "MQTT-4.3.2-3"})
    @Test
    void aQosOneMessageIsDeliveredOnceItIsAcknowledged() {
        publish(QoS.AT_LEAST_ONCE, "a");

        assertThat(subscriber.messages().getFirst().qos()).isEqualTo(QoS.AT_LEAST_ONCE);
        assertThat(subscriber.messages().getFirst().packetId()).isEqualTo(FIRST_ID);
        assertThat(subscriber.messages().getFirst().duplicate()).isFalse();
        assertThat(node.gauge("heddle.messages.in.flight")).isOne();
        assertThat(node.count("heddle.messages.delivered")).isZero();
        subscriber.pubAck(FIRST_ID);
        assertThat(node.gauge("heddle.messages.in.flight")).isZero();
        assertThat(node.count("heddle.messages.delivered")).isOne();
        assertThat(node.memory.chargedBytes()).isEqualTo(idleBytes);
    }

    @Conformance({"MQTT-2.2.1-5", "MQTT-3.6.2-1", "MQTT-4.3.3-1", "MQTT-4.3.3-4"})
    @Test
    void aQosTwoMessageTakesFourPackets() {
        publish(QoS.EXACTLY_ONCE, "a");

        subscriber.pubRec(FIRST_ID);
        assertThat(released()).containsExactly(FIRST_ID);
        assertThat(node.memory.chargedBytes()).isEqualTo(idleBytes);
        subscriber.pubRec(FIRST_ID);
        assertThat(released()).containsExactly(FIRST_ID, FIRST_ID);
        subscriber.pubComp(FIRST_ID);
        subscriber.pubRec(FIRST_ID);

        assertThat(subscriber.connection().sent(PubRelPacket.class).getLast().reason())
                .isEqualTo(ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
        assertThat(node.count("heddle.messages.delivered")).isOne();
        assertThat(node.count("heddle.acknowledgements.unknown")).isOne();
    }

    @Conformance("MQTT-4.4.0-2")
    @Test
    void aMessageRefusedByTheClientIsCompletedAndCounted() {
        publish(QoS.EXACTLY_ONCE, "a", "b");
        publish(QoS.AT_LEAST_ONCE, "c");

        subscriber.send(new PubRecPacket(FIRST_ID, ReasonCode.QUOTA_EXCEEDED, null, List.of()));
        subscriber.send(new PubAckPacket(FIRST_ID + 2, ReasonCode.QUOTA_EXCEEDED, null, List.of()));

        assertThat(released()).isEmpty();
        assertThat(node.dropped("refused_by_client")).isEqualTo(2);
        assertThat(node.gauge("heddle.messages.in.flight")).isOne();
    }

    @Conformance({"MQTT-3.3.4-9", "MQTT-4.6.0-5", "MQTT-4.9.0-1", "MQTT-4.9.0-2"})
    @Test
    void messagesAboveTheWindowWaitInOrder() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3", "4", "5");
        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "3");
        assertThat(node.gauge("heddle.messages.queued")).isEqualTo(2);

        subscriber.pubAck(FIRST_ID + 1);
        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "3", "4");
        subscriber.pubAck(FIRST_ID + 1);
        assertThat(subscriber.payloads()).hasSize(5);
        subscriber.pubAck(FIRST_ID);

        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "3", "4", "5");
        assertThat(node.gauge("heddle.messages.queued")).isZero();
    }

    @Conformance({"MQTT-3.3.4-9", "MQTT-4.9.0-2"})
    @Test
    void aQosTwoMessageUsesTheQuotaUntilPubComp() {
        publish(QoS.EXACTLY_ONCE, "0", "1", "2", "3", "4");

        subscriber.pubRec(FIRST_ID);
        assertThat(subscriber.payloads()).hasSize(4);
        subscriber.pubComp(FIRST_ID);
        assertThat(subscriber.payloads()).hasSize(5);
    }

    @Conformance({"MQTT-3.3.4-9", "MQTT-4.9.0-1", "MQTT-4.9.0-2"})
    @Test
    void theClientsOwnReceiveMaximumCountsWhenItIsLower() {
        TestClient modest =
                node.connect(new Connect("modest").receiveMaximum(1).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a", "b");

        assertThat(modest.payloads()).containsExactly("a");
        modest.pubAck(FIRST_ID);
        assertThat(modest.payloads()).containsExactly("a", "b");
    }

    @Test
    void qosZeroDoesNotWaitForTheWindow() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3", "4");
        publish(QoS.AT_MOST_ONCE, "now");

        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "3", "now");
    }

    @Test
    void anAcknowledgementOfTheWrongKindEndsTheConnection() {
        publish(QoS.EXACTLY_ONCE, "two");
        publish(QoS.AT_LEAST_ONCE, "one");

        subscriber.sendForbidden(
                new PubAckPacket(FIRST_ID, ReasonCode.SUCCESS, null, List.of()), ReasonCode.PROTOCOL_ERROR);
        subscriber.sendForbidden(
                new PubCompPacket(FIRST_ID, ReasonCode.SUCCESS, null, List.of()), ReasonCode.PROTOCOL_ERROR);
        subscriber.sendForbidden(
                new PubRecPacket(FIRST_ID + 1, ReasonCode.SUCCESS, null, List.of()), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void unknownAcknowledgementsAreCountedAndIgnored() {
        publish(QoS.AT_LEAST_ONCE, "a");

        subscriber.pubAck(32_767);
        subscriber.pubAck(FIRST_ID + 1);
        subscriber.pubComp(60_000);

        assertThat(node.count("heddle.acknowledgements.unknown")).isEqualTo(3);
        assertThat(node.gauge("heddle.messages.in.flight")).isOne();
    }

    @Conformance({"MQTT-2.2.1-4", "MQTT-4.3.2-1"})
    @Test
    void identifiersWrapAroundWithoutReusingOneInFlight() {
        publish(QoS.AT_LEAST_ONCE, "stays");
        for (int i = 1; i < 32_766; i++) {
            subscriber.connection().sent().clear();
            publish(QoS.AT_LEAST_ONCE, "m" + i);
            int packetId = subscriber.messages().getFirst().packetId();
            assertThat(packetId).isEqualTo(FIRST_ID + i);
            subscriber.pubAck(packetId);
        }
        subscriber.connection().sent().clear();
        publish(QoS.AT_LEAST_ONCE, "waits");

        assertThat(subscriber.messages()).isEmpty();
        subscriber.pubAck(FIRST_ID);
        assertThat(subscriber.messages())
                .extracting(PublishPacket::packetId, TestClient::payload)
                .containsExactly(tuple(FIRST_ID + 32_766, "waits"));
        publish(QoS.AT_LEAST_ONCE, "round");
        assertThat(subscriber.messages().getLast().packetId()).isEqualTo(FIRST_ID);
    }

    @Test
    void aClientThatDoesNotReadGetsItsMessagesWhenItReadsAgain() {
        subscriber.connection().writable(false);
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        assertThat(subscriber.payloads()).isEmpty();

        subscriber.connection().writable(true);
        subscriber.connected().onWritable();

        assertThat(subscriber.payloads()).containsExactly("a", "b");
    }

    @Test
    void aFullQueueDropsTheOldestWaitingMessageOnly() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(node.dropped("queue_full")).isEqualTo(2);

        for (int i = 0; i < 4; i++) {
            subscriber.pubAck(FIRST_ID + i);
        }

        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "3", "6", "7", "8", "9");
    }

    @Test
    void aFullQueueMayRejectTheNewestInstead() {
        QueueLimits queue = new QueueLimits(1, 10_000, QueueLimits.Overflow.REJECT_NEWEST);
        TestNode other = new TestNode(
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
                        1,
                        2,
                        queue,
                        50,
                        20_000,
                        TestNode.PATIENCE),
                1_000_000);
        TestClient slow = other.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient from = other.connect("from");
        for (String payload : List.of("sent", "waits", "rejected")) {
            from.publish("t", payload, QoS.AT_LEAST_ONCE, 1);
        }

        slow.pubAck(FIRST_ID);

        assertThat(slow.payloads()).containsExactly("sent", "waits");
        assertThat(other.dropped("queue_full")).isOne();
    }

    @Test
    void aQueueIsAlsoBoundedByBytes() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3");
        publish(QoS.AT_LEAST_ONCE, "a".repeat(6_000), "b".repeat(6_000), "c".repeat(11_000));

        assertThat(node.dropped("queue_full")).isEqualTo(3);
        assertThat(node.gauge("heddle.messages.queued")).isZero();
    }

    @Test
    void bytesInFlightAreLimitedLikeWaitingBytes() {
        TestNode other = new TestNode();
        TestClient reads = other.connect("reads").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient from = other.connect("from");
        for (String payload : List.of("a", "b", "c")) {
            from.publish("t", payload.repeat(4_500), QoS.AT_LEAST_ONCE, 1);
        }

        assertThat(reads.messages()).hasSize(2);
        reads.pubAck(reads.messages().getFirst().packetId());
        assertThat(reads.messages()).hasSize(3);
    }

    @Test
    void theNodesMemoryIsBounded() {
        TestNode small = new TestNode(TestNode.SETTINGS, 2_490);
        TestClient slow = small.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient from = small.connect("from");
        for (int i = 0; i < 10; i++) {
            from.publish("t", "x", QoS.AT_LEAST_ONCE, 1);
        }

        double held = small.gauge("heddle.messages.in.flight") + small.gauge("heddle.messages.queued");
        assertThat(held).isBetween(1.0, 6.0);
        assertThat(small.dropped("memory_limit")).isEqualTo(10 - held);
        assertThat(small.dropped("publish_refused_memory_limit")).isZero();
        assertThat(small.memory.chargedBytes()).as("the reserve is left").isBetween(1_740L, 2_490L / 8 * 7);
        slow.lose();
        assertThat(small.memory.chargedBytes()).isEqualTo(TestNode.transientBytes("from"));
        assertThat(small.dropped("session_ended")).isEqualTo(held);
    }

    @Test
    void propertiesAreChargedToo() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3");
        PublishProperties large = new PublishProperties(
                PublishProperties.NO_EXPIRY,
                null,
                "c".repeat(2_000),
                TopicName.parse("r".repeat(2_000), 1),
                BinaryData.wrap(new byte[3_000]),
                List.of(new UserProperty("n".repeat(2_000), "v".repeat(2_000))));
        long before = node.memory.chargedBytes();

        publisher.send(TestClient.packet("t", "x", QoS.AT_LEAST_ONCE, 1, false, large));

        assertThat(node.dropped("queue_full")).isOne();
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
    }

    @Conformance("MQTT-3.1.2-25")
    @Test
    void aMessageAboveTheMaximumPacketSizeIsSkipped() {
        subscriber.connection().refusePackets();
        publish(QoS.AT_LEAST_ONCE, "too large");

        assertThat(node.dropped("packet_too_large")).isOne();
        assertThat(node.gauge("heddle.messages.in.flight")).isZero();
        assertThat(node.memory.chargedBytes()).isEqualTo(idleBytes);
    }

    @Conformance({"MQTT-3.3.2-5", "MQTT-3.3.2-6"})
    @Test
    void expiredMessagesAreNotSentAndOthersCarryTheirRemainingTime() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3");
        for (int seconds : new int[] {10, 30}) {
            publisher.send(TestClient.packet(
                    "t",
                    "lives " + seconds,
                    QoS.AT_LEAST_ONCE,
                    1,
                    false,
                    PublishProperties.NONE.withMessageExpirySeconds(seconds)));
        }
        node.advance(Duration.ofSeconds(10));
        subscriber.pubAck(FIRST_ID);

        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "3", "lives 30");
        assertThat(subscriber.messages().getLast().properties().messageExpirySeconds())
                .isEqualTo(20);
        assertThat(node.dropped("expired")).isOne();
    }

    @Test
    void aFullQueueDropsExpiredMessagesFirst() {
        publish(QoS.AT_LEAST_ONCE, "0", "1", "2", "3", "kept");
        for (int i = 0; i < 3; i++) {
            publisher.send(TestClient.packet(
                    "t", "short", QoS.AT_LEAST_ONCE, 1, false, PublishProperties.NONE.withMessageExpirySeconds(5)));
        }
        node.advance(Duration.ofSeconds(5));
        publish(QoS.AT_LEAST_ONCE, "new");

        assertThat(node.dropped("expired")).isEqualTo(3);
        assertThat(node.dropped("queue_full")).isZero();
        assertThat(node.gauge("heddle.messages.queued")).isEqualTo(2);
    }
}
