package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ForwardingTest {
    private final MessageCluster cluster = new MessageCluster(3);

    private static List<ReasonCode> acknowledged(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    @Test
    void aMessageReachesSubscribersOnAllNodes() {
        TestClient here = cluster.connect(0, "here").subscribe(QoS.AT_LEAST_ONCE, "a/+");
        TestClient second = cluster.connect(1, "second").subscribe(QoS.AT_MOST_ONCE, "a/#");
        TestClient third = cluster.connect(2, "third").subscribe(QoS.EXACTLY_ONCE, "a/b");
        TestClient other = cluster.connect(2, "other").subscribe(QoS.EXACTLY_ONCE, "b");
        TestClient publisher = cluster.connect(0, "publisher");

        publisher.publish("a/b", "m", QoS.EXACTLY_ONCE, 1);

        assertThat(here.messages()).singleElement().returns(QoS.AT_LEAST_ONCE, PublishPacket::qos);
        assertThat(second.messages()).singleElement().returns(QoS.AT_MOST_ONCE, PublishPacket::qos);
        assertThat(third.messages()).singleElement().returns(QoS.EXACTLY_ONCE, PublishPacket::qos);
        assertThat(other.messages()).isEmpty();
        assertThat(publisher.connection().sent(PubRecPacket.class))
                .singleElement()
                .returns(ReasonCode.SUCCESS, PubRecPacket::reason);
    }

    @Test
    void aMessageIsSentOnceToANodeWithManySubscribers() {
        for (int i = 0; i < 3; i++) {
            cluster.connect(1, "c" + i).subscribe(QoS.AT_MOST_ONCE, "a", "#");
        }
        cluster.connect(0, "publisher").publish("a", "m");

        assertThat(cluster.node(0).count("heddle.forwards.sent")).isOne();
        assertThat(cluster.node(1).count("heddle.forwards.received")).isOne();
        assertThat(cluster.node(2).count("heddle.forwards.received")).isZero();
    }

    @Test
    void subscribeOnOneNodeThenPublishOnAnother() {
        TestClient publisher = cluster.connect(2, "publisher");
        for (int i = 0; i < 100; i++) {
            TestClient subscriber = cluster.connect(0, "s" + i).subscribe(QoS.AT_LEAST_ONCE, "t/" + i);
            assertThat(subscriber.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);

            publisher.publish("t/" + i, "m", QoS.AT_LEAST_ONCE, i + 1);

            assertThat(subscriber.payloads()).containsExactly("m");
            subscriber.disconnect();
        }
        assertThat(acknowledged(publisher)).hasSize(100).containsOnly(ReasonCode.SUCCESS);
    }

    @Test
    void subAckWaitsForASlowNode() {
        cluster.cut(0, 2);
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(cluster.node(0).gauge("heddle.interest.waiting")).isOne();

        TestClient publisher = cluster.connect(2, "publisher");
        publisher.publish("t", "before", QoS.AT_LEAST_ONCE, 1);
        cluster.heal(0, 2);
        assertThat(subscriber.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        publisher.publish("t", "after", QoS.AT_LEAST_ONCE, 2);

        assertThat(subscriber.payloads()).containsExactly("after");
        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.NO_MATCHING_SUBSCRIBERS, ReasonCode.SUCCESS);
    }

    @Test
    void subAckWaitsForRetainedMessagesThatWereRoutedBefore() {
        TestNode publishing = cluster.node(2);
        TestClient publisher = cluster.connect(2, "publisher");
        publishing.log.hold(10);
        publisher.retain("t", "m");
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();

        publishing.log.release();
        cluster.run();

        assertThat(subscriber.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
    }

    @Test
    void aSecondSubscriberOfAFilterWaitsAsLongAsTheFirst() {
        cluster.cut(0, 2);
        cluster.connect(0, "first").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient second = cluster.connect(0, "second").subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(second.connection().sent(SubAckPacket.class)).isEmpty();

        cluster.heal(0, 2);
        assertThat(second.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
    }

    @Test
    void aClientThatLeavesBeforeSubAckGetsNone() {
        cluster.cut(0, 2);
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        subscriber.lose();
        cluster.heal(0, 2);

        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
    }

    @Test
    void pubAckWaitsForTheReceiptOfASlowNode() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(0, 1);
        publisher.publish("t", "m1", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("elsewhere", "m2", QoS.AT_LEAST_ONCE, 2);

        assertThat(acknowledged(publisher)).as("PUBACKs keep their order").isEmpty();
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isOne();
        cluster.heal(0, 1);

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS, ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(subscriber.payloads()).containsExactly("m1");
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isZero();
    }

    @Test
    void aReceiptThatIsDelayedDelaysPubAck() {
        cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(1, 0);
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);
        assertThat(acknowledged(publisher)).isEmpty();

        cluster.heal(1, 0);
        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
    }

    @Test
    void pubAckDoesNotWaitForSubscribersAtQos0() {
        cluster.connect(1, "s").subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(0, 1);
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
    }

    @Test
    void theHighestQosOfANodeMayRiseLater() {
        cluster.connect(1, "low").subscribe(QoS.AT_MOST_ONCE, "t");
        cluster.connect(1, "high").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(0, 1);
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        assertThat(acknowledged(publisher)).isEmpty();
    }

    @Test
    void messagesOfAPublisherKeepTheirOrder() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t/#");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(0, 1);
        for (int i = 1; i <= 4; i++) {
            publisher.publish("t/" + i, "m" + i, QoS.AT_LEAST_ONCE, i);
        }
        cluster.heal(0, 1);

        assertThat(subscriber.payloads()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void qos2MessagesArriveOnceAlthoughTheyAreRepeated() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(1, 0);
        publisher.publish("t", "m", QoS.EXACTLY_ONCE, 1);
        publisher.publish("t", "m", QoS.EXACTLY_ONCE, 1);
        assertThat(publisher.connection().sent(PubRecPacket.class)).isEmpty();
        cluster.heal(1, 0);

        assertThat(publisher.connection().sent(PubRecPacket.class)).hasSize(1);
        assertThat(subscriber.payloads()).containsExactly("m");
    }

    @Test
    void subscriptionOptionsHoldAcrossNodes() {
        TestClient subscriber = cluster.connect(1, "s");
        subscriber.send(new SubscribePacket(
                7,
                42,
                List.of(),
                List.of(new SubscriptionRequest("t/+", QoS.AT_LEAST_ONCE, false, true, RetainHandling.DO_NOT_SEND))));
        subscriber.send(new SubscribePacket(
                8,
                43,
                List.of(),
                List.of(new SubscriptionRequest("t/#", QoS.AT_MOST_ONCE, false, false, RetainHandling.DO_NOT_SEND))));
        TestClient cleared = cluster.connect(1, "cleared").subscribe(QoS.AT_LEAST_ONCE, "t/1");
        TestClient publisher = cluster.connect(0, "publisher");

        publisher.send(TestClient.packet("t/1", "m", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));

        PublishPacket received = subscriber.messages().getFirst();
        assertThat(subscriber.messages()).hasSize(1);
        assertThat(received.subscriptionIdentifiers()).containsExactlyInAnyOrder(42, 43);
        assertThat(received.qos()).isEqualTo(QoS.AT_LEAST_ONCE);
        assertThat(received.retain()).isTrue();
        assertThat(cleared.messages()).singleElement().returns(false, PublishPacket::retain);
    }

    @Test
    void noLocalExcludesThePublisherOnly() {
        SubscriptionRequest noLocal = new SubscriptionRequest("t", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND);
        TestClient publisher = cluster.connect(0, "publisher").subscribe(noLocal);
        TestClient other = cluster.connect(1, "other").subscribe(noLocal);
        TestClient successor = cluster.connect(2, "publisher").subscribe(noLocal);

        publisher.publish("t", "m");

        assertThat(publisher.messages()).isEmpty();
        assertThat(other.payloads()).containsExactly("m");
        assertThat(successor.messages()).as("has the publisher's client id").isEmpty();
    }

    @Test
    void topicAliasesEndAtTheirConnections() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_MOST_ONCE, "t/a");
        TestClient publisher = cluster.connect(0, "publisher");
        publisher.send(aliased("t/a", 1, "m1"));
        publisher.send(aliased("", 1, "m2"));

        assertThat(subscriber.payloads()).containsExactly("m1", "m2");
        assertThat(subscriber.messages())
                .allSatisfy(each ->
                        assertThat(Objects.requireNonNull(each.topic()).value()).isEqualTo("t/a"));
    }

    private static PublishPacket aliased(String topic, int alias, String payload) {
        PublishPacket plain = TestClient.packet(
                "t/a", payload, QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID, false, PublishProperties.NONE);
        return new PublishPacket(
                topic.isEmpty() ? null : plain.topic(),
                alias,
                plain.qos(),
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                plain.payload());
    }

    @Test
    void theEndOfInterestIsAnnouncedAfterAWhile() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        subscriber.disconnect();
        TestClient publisher = cluster.connect(0, "publisher");
        publisher.publish("t", "m1", QoS.AT_LEAST_ONCE, 1);
        assertThat(cluster.node(1).count("heddle.forwards.received"))
                .as("stale interest")
                .isOne();

        cluster.advance(Duration.ofSeconds(6));
        publisher.publish("t", "m2", QoS.AT_LEAST_ONCE, 2);

        assertThat(cluster.node(1).count("heddle.forwards.received")).isOne();
        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS, ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(cluster.node(0).gauge("heddle.interest.entries")).isZero();
        assertThat(cluster.node(1).gauge("heddle.interest.filters")).isZero();
    }

    @Test
    void retainedMessagesFollowSubAckAndForwardedOnesDoNot() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_MOST_ONCE, "t");
        cluster.connect(0, "publisher").retain("t", "m");

        assertThat(subscriber.payloads()).containsExactly("m");
        assertThat(cluster.node(1).retained.size())
                .as("each node follows the log instead")
                .isZero();
        assertThat(IntStream.of(1, 2).mapToDouble(each -> cluster.node(each).count("heddle.messages.received")))
                .containsExactly(0.0, 0.0);
    }
}
