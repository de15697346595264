package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retained messages as subscribers receive them. */
final class RetainedDeliveryTest {
    private final TestNode node = new TestNode();

    private final TestClient publisher = node.connect("publisher");

    private TestClient subscribe(String clientId, SubscriptionRequest... requests) {
        return node.connect(clientId).subscribe(requests);
    }

    private static SubscriptionRequest request(String filter, RetainHandling handling) {
        return new SubscriptionRequest(filter, QoS.AT_LEAST_ONCE, false, false, handling);
    }

    @Conformance({"MQTT-3.3.1-5", "MQTT-3.3.1-9"})
    @Test
    void aNewSubscriptionGetsTheLastMessageOfEachTopicAfterSubAck() {
        publisher.retain("a/1", "old");
        publisher.retain("a/1", "new");
        publisher.retain("a/2", "other");
        publisher.retain("b", "unwanted");

        TestClient subscriber = node.connect("s").subscribe(QoS.AT_MOST_ONCE, "a/+");

        assertThat(subscriber.payloads()).containsExactlyInAnyOrder("new", "other");
        assertThat(subscriber.messages()).allMatch(PublishPacket::retain);
        assertThat(subscriber.connection().sent().get(1)).isInstanceOf(SubAckPacket.class);
    }

    @Conformance({"MQTT-3.3.1-6", "MQTT-3.3.1-7"})
    @Test
    void anEmptyPayloadRemovesAndIsStillDelivered() {
        TestClient live = node.connect("live").subscribe(QoS.AT_MOST_ONCE, "a");
        publisher.retain("a", "x");
        publisher.retain("a", "");

        assertThat(live.payloads()).containsExactly("x", "");
        assertThat(node.connect("s").subscribe(QoS.AT_MOST_ONCE, "a").messages())
                .isEmpty();
        assertThat(node.retained.size()).isZero();
    }

    @Conformance({"MQTT-3.3.1-12", "MQTT-3.3.1-13"})
    @Test
    void aLiveMessageHasNoRetainFlagUnlessTheSubscriptionKeepsIt() {
        TestClient plain = node.connect("plain").subscribe(QoS.AT_MOST_ONCE, "a");
        TestClient keeps =
                subscribe("keeps", new SubscriptionRequest("a", QoS.AT_MOST_ONCE, false, true, RetainHandling.SEND));
        publisher.retain("a", "x");

        assertThat(plain.messages().getFirst().retain()).isFalse();
        assertThat(keeps.messages().getFirst().retain()).isTrue();
    }

    @Conformance({"MQTT-3.3.1-9", "MQTT-3.3.1-10", "MQTT-3.3.1-11", "MQTT-3.8.4-4"})
    @Test
    void retainHandlingControlsRetainedMessages() {
        publisher.retain("a", "x");
        TestClient never = subscribe("never", request("a", RetainHandling.DO_NOT_SEND));
        TestClient once = subscribe("once", request("a", RetainHandling.SEND_IF_NEW));
        once.subscribe(request("a", RetainHandling.SEND_IF_NEW));
        TestClient always = subscribe("always", request("a", RetainHandling.SEND));
        always.subscribe(request("a", RetainHandling.SEND));

        assertThat(never.messages()).isEmpty();
        assertThat(once.messages()).hasSize(1);
        assertThat(always.messages()).hasSize(2);
    }

    @Test
    void aSharedSubscriptionGetsNoRetainedMessages() {
        publisher.retain("a", "x");

        assertThat(node.connect("s").subscribe(QoS.AT_MOST_ONCE, "$share/g/a").messages())
                .isEmpty();
    }

    @Conformance({"MQTT-3.3.2-5", "MQTT-3.3.2-6"})
    @Test
    void expiredRetainedMessagesAreNotSentAndOthersCarryTheirRemainingTime() {
        publisher.send(TestClient.packet(
                "a", "x", QoS.AT_MOST_ONCE, 0, true, PublishProperties.NONE.withMessageExpirySeconds(10)));

        node.advance(Duration.ofSeconds(4));
        assertThat(node.connect("early")
                        .subscribe(QoS.AT_MOST_ONCE, "a")
                        .messages()
                        .getFirst()
                        .properties()
                        .messageExpirySeconds())
                .isEqualTo(6);
        node.advance(Duration.ofSeconds(6));
        assertThat(node.connect("late").subscribe(QoS.AT_MOST_ONCE, "a").messages())
                .isEmpty();
    }

    @Test
    void retainedMessagesAreSentAsFastAsTheClientTakesThem() {
        for (int i = 0; i < 300; i++) {
            publisher.send(TestClient.packet("a/" + i, "m" + i, QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        }
        TestClient subscriber = node.connect("s");
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "a/#");
        node.runAll();

        assertThat(subscriber.messages()).hasSize(4);
        for (int next = 0; next < 300; next++) {
            subscriber.pubAck(subscriber.messages().get(next).packetId());
            node.runAll();
        }

        assertThat(subscriber.payloads()).hasSize(300).doesNotHaveDuplicates();
        assertThat(node.dropped("queue_full")).isZero();
    }

    @Test
    void aConnectionMayBecomeWritableAgainWithinASend() {
        publisher.retain("a/1", "x");
        publisher.retain("a/2", "y");
        TestClient subscriber = node.connect("s");
        subscriber.connection().afterSend(() -> subscriber.connected().onWritable());

        subscriber.subscribe(QoS.AT_MOST_ONCE, "a/+");

        assertThat(subscriber.payloads()).containsExactlyInAnyOrder("x", "y");
    }

    @Test
    void oneTurnOfTheEventLoopSendsALimitedNumber() {
        for (int i = 0; i < 300; i++) {
            publisher.retain("a/" + i, "m" + i);
        }
        TestClient subscriber = node.connect("s").unsettled();

        subscriber.subscribe(QoS.AT_MOST_ONCE, "a/#");
        int first = subscriber.messages().size();
        node.runAll();

        assertThat(first).isLessThan(100);
        assertThat(subscriber.payloads()).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void aClientThatDoesNotReadHasNoWaitingRetainedMessages() {
        for (int i = 0; i < 100; i++) {
            publisher.retain("a/" + i, "m" + i);
        }
        TestClient subscriber = node.connect("s");
        subscriber.connection().writable(false);
        subscriber.subscribe(QoS.AT_MOST_ONCE, "a/#");
        node.runAll();
        assertThat(subscriber.messages()).isEmpty();

        subscriber.connection().writable(true);
        subscriber.connected().onWritable();
        node.runAll();

        assertThat(subscriber.messages()).hasSize(100);
    }

    @Test
    void unsubscribingEndsTheDelivery() {
        for (int i = 0; i < 300; i++) {
            publisher.retain("a/" + i, "m" + i);
        }
        TestClient subscriber = node.connect("s").unsettled();
        subscriber.subscribe(QoS.AT_MOST_ONCE, "a/#");
        while (subscriber.messages().isEmpty()) {
            node.loop.runNext(1);
        }
        int first = subscriber.messages().size();
        assertThat(first).isBetween(1, 100);

        subscriber.send(new UnsubscribePacket(8, List.of(), List.of("a/#")));
        node.runAll();

        assertThat(subscriber.messages()).hasSize(first);
    }

    @Test
    void anUnfinishedDeliveryContinuesOnTheNextConnection() {
        for (int i = 0; i < 20; i++) {
            publisher.send(TestClient.packet("a/" + i, "m" + i, QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        }
        TestClient before = node.connect(new Connect("s").persistent(60).packet());
        before.subscribe(QoS.AT_LEAST_ONCE, "a/#");
        before.lose();

        TestClient back =
                node.connect(node.otherLoop, new Connect("s").persistent(60).packet());
        for (int next = 0; next < 20; next++) {
            back.pubAck(back.messages().get(next).packetId());
            node.runAll();
        }

        assertThat(back.payloads()).hasSize(20).doesNotHaveDuplicates();
    }

    @Conformance("MQTT-3.8.3-3")
    @Test
    void noLocalSuppressesAClientsOwnRetainedMessages() {
        publisher.retain("a", "own");
        node.connect("other").retain("b", "other's");

        publisher.subscribe(
                new SubscriptionRequest("a", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND),
                new SubscriptionRequest("b", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND));

        assertThat(publisher.payloads()).containsExactly("other's");
    }

    @Conformance("MQTT-3.8.4-3")
    @Test
    void aDeliveryFollowsTheOptionsOfAReplacedSubscription() {
        for (int i = 0; i < 10; i++) {
            publisher.send(TestClient.packet("a/" + i, "m" + i, QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        }
        TestClient subscriber = subscribe("s", request("a/#", RetainHandling.SEND));
        assertThat(subscriber.messages()).hasSize(4);

        subscriber.subscribe(
                new SubscriptionRequest("a/#", QoS.AT_MOST_ONCE, false, false, RetainHandling.DO_NOT_SEND));

        assertThat(subscriber.payloads()).hasSize(10).doesNotHaveDuplicates();
        assertThat(subscriber.messages().subList(4, 10)).allMatch(message -> message.qos() == QoS.AT_MOST_ONCE);
    }

    @Test
    void qosZeroDoesNotWaitForAcknowledgements() {
        publisher.retain("config", "x");
        TestClient busy = node.connect("busy").subscribe(QoS.AT_LEAST_ONCE, "jobs");
        for (int i = 0; i < 6; i++) {
            publisher.publish("jobs", "job", QoS.AT_LEAST_ONCE, 1);
        }

        busy.subscribe(QoS.AT_MOST_ONCE, "config");

        assertThat(busy.payloads()).contains("x");
    }

    @Test
    void aPersistentSessionGetsRetainedMessagesThroughItsQueue() {
        publisher.send(TestClient.packet("a", "x", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        TestClient before = node.connect(new Connect("s").persistent(60).packet());
        before.subscribe(QoS.AT_LEAST_ONCE, "a");
        publisher.publish("a", "later", QoS.AT_LEAST_ONCE, 1);
        before.lose();

        TestClient back = node.connect(new Connect("s").persistent(60).packet());

        assertThat(before.payloads()).containsExactly("x", "later");
        assertThat(back.payloads()).containsExactly("x", "later");
        assertThat(back.messages()).extracting(PublishPacket::retain).containsExactly(true, false);
        assertThat(back.messages()).allMatch(PublishPacket::duplicate);
        assertThat(back.messages()).allMatch(message -> message.packetId() > 32_768);
    }

    @Test
    void retainedMessagesDoNotFloodAPersistentSessionsQueue() {
        for (int i = 0; i < 300; i++) {
            publisher.send(TestClient.packet("a/" + i, "m" + i, QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        }
        TestClient subscriber = node.connect(new Connect("s").persistent(60).packet());
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "a/#");
        for (int next = 0; next < 300; next++) {
            subscriber.pubAck(subscriber.messages().get(next).packetId());
            // The queue learns of the acknowledgement.
            node.advance(Duration.ofMillis(20));
        }

        assertThat(subscriber.payloads()).hasSize(300).doesNotHaveDuplicates();
        assertThat(node.dropped("queue_full")).isZero();
    }

    @Test
    void aRetainedMessageThatCannotBeQueuedEndsTheConnection() {
        publisher.send(TestClient.packet("a", "x", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        TestClient subscriber = node.connect(new Connect("s").persistent(60).packet());
        node.log.failWith(new IllegalStateException("the log is gone"));

        subscriber.subscribe(QoS.AT_LEAST_ONCE, "a");

        assertThat(subscriber.connection().isOpen()).isFalse();
        assertThat(node.dropped("append_failed")).isOne();
    }

    @Test
    void aRetainedPublishThatCannotBeAppendedIsNotRetained() {
        TestClient publisher = node.connect("failing-publisher");
        node.log.failWith(new IllegalStateException("the log is full"));
        publisher.send(TestClient.packet("unwritten", "a", QoS.AT_MOST_ONCE, 0, true, PublishProperties.NONE));
        node.log.failWith(null);
        publisher.send(TestClient.packet("written", "b", QoS.AT_MOST_ONCE, 0, true, PublishProperties.NONE));

        assertThat(node.retained.size()).isOne();
        assertThat(node.connect("later")
                        .subscribe(QoS.AT_MOST_ONCE, "unwritten", "written")
                        .payloads())
                .containsExactly("b");
        assertThat(node.log.retained(TopicName.parse("unwritten", 8))).isNull();
    }
}
