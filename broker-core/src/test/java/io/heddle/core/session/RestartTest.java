package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node is killed and another one starts over the same stores. */
final class RestartTest {
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
                    100,
                    4,
                    2,
                    new QueueLimits(100, 1_000_000, QueueLimits.Overflow.DROP_OLDEST),
                    50,
                    20_000,
                    TestNode.PATIENCE),
            1_000_000);

    private static TestClient connect(TestNode to) {
        return to.connect(new Connect("c").persistent(60).packet());
    }

    private static void publish(TestNode on, QoS qos, String... payloads) {
        TestClient publisher = on.connect("publisher");
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
        publisher.disconnect();
    }

    @Conformance({"MQTT-3.1.2-5", "MQTT-3.1.2-23"})
    @Test
    void sessionsSubscriptionsAndQueuesAreRestored() {
        connect(node).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(node, QoS.AT_LEAST_ONCE, "a", "b");

        TestNode next = node.restarted();
        publish(next, QoS.AT_LEAST_ONCE, "c");
        TestClient back = connect(next);

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(32_769, "a", false), tuple(32_770, "b", false), tuple(32_771, "c", false));
    }

    @Test
    void subscriptionsAreRestoredFromACompactedLogInWhichTheyPrecedeTheirSession() {
        connect(node).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        connect(node).lose();
        node.stores.clientLog.compact();

        TestNode next = node.restarted();
        publish(next, QoS.AT_LEAST_ONCE, "a");

        assertThat(connect(next).payloads()).containsExactly("a");
        assertThat(next.restarted().trie.size())
                .as("no subscription was removed")
                .isOne();
    }

    @Test
    void aNewSessionIsAboveAnEndedOneThoughTheClockWentBackAndNoRecordOfTheEndedOneIsLeft() {
        TestClient ended = connect(node).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node, QoS.AT_LEAST_ONCE, "old");
        ended.endSession();
        node.stores.clientLog.compact();
        long now = node.clock.millis();
        node.stores.clock(() -> now - 3_600_000);

        TestNode next = node.restarted();
        connect(next).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(next, QoS.AT_LEAST_ONCE, "new");
        // The messages of the ended session are applied once more.
        next.stores.queues.loseEverything();
        next.watch.onStoreReturned();
        next.runAll();

        assertThat(connect(next).payloads()).containsExactly("new");
    }

    @Test
    void unappliedAppendsAreAppliedAfterTheRestart() {
        connect(node).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.applying(false);
        publish(node, QoS.AT_LEAST_ONCE, "a", "b");

        assertThat(connect(node.restarted()).payloads()).containsExactly("a", "b");
    }

    @Test
    void aClientReconnectingAfterARollbackGetsNoMessageTwice() {
        TestClient before = connect(node).subscribe(QoS.EXACTLY_ONCE, "t");
        publish(node, QoS.EXACTLY_ONCE, "a", "b");
        before.pubRec(32_769);
        before.lose();
        node.stores.queues.loseEverything();

        TestClient back = node.begin(node.loop, new Connect("c").persistent(60).packet());
        node.runAll();
        assertThat(back.connection().sent())
                .as("not before the queues are restored")
                .isEmpty();
        node.advance(Duration.ofMillis(50));

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(32_769);
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(32_770, "b", true));
    }

    @Test
    void aConnectedClientIsServedAfterARollback() {
        TestClient client = connect(node).subscribe(QoS.EXACTLY_ONCE, "t");
        publish(node, QoS.EXACTLY_ONCE, "a", "b");
        client.pubRec(32_769);
        node.stores.queues.loseEverything();

        node.watch.checkIdleBuckets();
        node.runAll();
        client.pubRec(32_770);
        client.pubComp(32_769);
        client.pubComp(32_770);
        publish(node, QoS.AT_LEAST_ONCE, "c");
        node.advance(Duration.ofSeconds(1));

        assertThat(client.payloads()).containsExactly("a", "b", "c");
        assertThat(client.connection().sent(PubRelPacket.class)).hasSize(2);
        assertThat(node.stores.queues.payloads(node.persistent.bucket(new ClientId("c")), new ClientId("c")))
                .containsExactly("c");
        assertThat(node.count("heddle.buckets.rollbacks")).as("of both buckets").isEqualTo(2);
    }

    @Test
    void qosTwoMarkersSurviveARollback() {
        TestClient subscriber = node.connect("subscriber").subscribe(QoS.EXACTLY_ONCE, "u");
        TestClient publisher = connect(node);
        publisher.publish("u", "once", QoS.EXACTLY_ONCE, 7);
        publisher.lose();
        node.stores.queues.loseEverything();

        TestClient back = node.begin(node.loop, new Connect("c").persistent(60).packet());
        node.runAll();
        node.advance(Duration.ofMillis(50));
        back.publish("u", "once", QoS.EXACTLY_ONCE, 7);

        assertThat(subscriber.payloads()).containsExactly("once");
    }

    @Test
    void everyOptionOfASubscriptionIsRestored() {
        TestClient client = connect(node);
        client.send(new SubscribePacket(
                7,
                42,
                List.of(),
                List.of(new SubscriptionRequest("t", QoS.EXACTLY_ONCE, true, true, RetainHandling.SEND))));
        client.lose();

        TestNode next = node.restarted();
        TestClient back = connect(next);
        TestClient publisher = next.connect("publisher");
        publisher.send(
                TestClient.packet("t", "a", QoS.EXACTLY_ONCE, 1, true, io.heddle.core.mqtt.PublishProperties.NONE));
        back.publish("t", "its own", QoS.AT_LEAST_ONCE, 1);

        assertThat(back.messages())
                .extracting(
                        TestClient::payload,
                        PublishPacket::qos,
                        PublishPacket::retain,
                        PublishPacket::subscriptionIdentifiers)
                .containsExactly(tuple("a", QoS.EXACTLY_ONCE, true, List.of(42)));
    }

    @Conformance({"MQTT-3.3.1-1", "MQTT-4.4.0-1"})
    @Test
    void messagesInFlightAreResentWithIdentifierAndDup() {
        TestClient before = connect(node).subscribe(QoS.EXACTLY_ONCE, "t");
        publish(node, QoS.AT_LEAST_ONCE, "a");
        publish(node, QoS.EXACTLY_ONCE, "b", "c");
        before.pubRec(32_771);

        TestClient back = connect(node.restarted());

        assertThat(back.connection().sent().get(1)).isInstanceOf(PubRelPacket.class);
        assertThat(back.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(32_771);
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(32_769, "a", true), tuple(32_770, "b", true));
    }

    @Test
    void messagesSentBehindOutOfOrderAcknowledgementsAreDuplicates() {
        TestClient before = connect(node).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node, QoS.AT_LEAST_ONCE, "1", "2", "3", "4", "5", "6");
        for (int packetId = 32_770; packetId <= 32_772; packetId++) {
            before.pubAck(packetId);
        }
        assertThat(before.payloads()).hasSize(6);

        TestClient back = connect(node.restarted());
        for (int i = 0; i < 6; i++) {
            back.pubAck(back.messages().get(i).packetId());
        }

        assertThat(back.payloads()).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(back.messages()).allMatch(PublishPacket::duplicate);
    }

    @Test
    void acknowledgedMessagesAreNotResent() {
        TestClient before = connect(node).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node, QoS.AT_LEAST_ONCE, "a", "b");
        before.pubAck(32_769);
        node.advance(Duration.ofSeconds(1));

        assertThat(connect(node.restarted()).payloads()).containsExactly("b");
    }

    @Test
    void endedSessionsAreNotRestored() {
        TestClient client = connect(node).subscribe(QoS.AT_LEAST_ONCE, "t", "u");
        client.send(new UnsubscribePacket(8, List.of(), List.of("u")));
        node.connect(new Connect("ended").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        node.connect("ended").disconnect();

        TestNode next = node.restarted();

        assertThat(next.persistent.all()).hasSize(1);
        assertThat(next.trie.size()).isOne();
    }

    @Test
    void theExpiryContinuesAcrossARestart() {
        connect(node).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(node, QoS.AT_LEAST_ONCE, "a", "b");
        node.advance(Duration.ofSeconds(40));
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(19));
        assertThat(next.persistent.find(new ClientId("c"))).isNotNull();

        next.advance(Duration.ofSeconds(1));

        assertThat(next.persistent.find(new ClientId("c"))).isNull();
        assertThat(next.dropped("session_ended")).isEqualTo(2);
        assertThat(next.memory.chargedBytes()).isZero();
    }

    @Test
    void aClientConnectedAtTheKillKeepsItsWholeExpiry() {
        connect(node);
        node.advance(Duration.ofSeconds(1_000));
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(59));
        assertThat(next.persistent.find(new ClientId("c"))).isNotNull();

        next.advance(Duration.ofSeconds(1));

        assertThat(next.persistent.find(new ClientId("c"))).isNull();
    }
}
