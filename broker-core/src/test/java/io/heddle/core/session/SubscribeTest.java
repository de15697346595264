package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.testkit.Conformance;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers to SUBSCRIBE and UNSUBSCRIBE, and the resulting deliveries. */
final class SubscribeTest {
    private final TestNode node = new TestNode();

    @Conformance({"MQTT-3.3.2-3", "MQTT-3.8.4-1"})
    @Test
    void aMessageReachesOnlyTheSubscribersOfItsTopic() {
        TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "a/+");
        TestClient stranger = node.connect("stranger").subscribe(QoS.AT_MOST_ONCE, "b/#");

        node.connect("publisher").publish("a/1", "hello");

        assertThat(subscriber.subscribed()).containsExactly(ReasonCode.SUCCESS);
        assertThat(subscriber.payloads()).containsExactly("hello");
        assertThat(stranger.payloads()).isEmpty();
        assertThat(node.count("heddle.messages.delivered")).isOne();
    }

    @Conformance({"MQTT-3.8.4-1", "MQTT-3.8.4-5", "MQTT-3.8.4-6", "MQTT-3.8.4-7", "MQTT-3.9.3-1", "MQTT-3.9.3-2"})
    @Test
    void eachFilterOfASubscribeIsAnsweredInItsPlace() {
        TestClient client = node.connect("c");

        client.subscribe(QoS.EXACTLY_ONCE, "a", "1/2/3/4/5/6/7/8/9", "$share/g/t", "b", "c", "a");

        assertThat(client.subscribed())
                .containsExactly(
                        ReasonCode.GRANTED_QOS_2,
                        ReasonCode.TOPIC_FILTER_INVALID,
                        ReasonCode.GRANTED_QOS_2,
                        ReasonCode.GRANTED_QOS_2,
                        ReasonCode.QUOTA_EXCEEDED,
                        ReasonCode.GRANTED_QOS_2);
    }

    @Conformance({"MQTT-4.7.1-1", "MQTT-4.7.1-2", "MQTT-4.7.3-1", "MQTT-4.8.2-1", "MQTT-4.8.2-2"})
    @ParameterizedTest
    @ValueSource(
            strings = {"", "a#", "#/a", "a+/b", "$share/g", "$share/g/", "$share//t", "$share/+/t", "a\nb", "a\u009Fb"})
    void aFilterThatBreaksTheRulesEndsTheConnection(String filter) {
        TestClient client = node.connect("c");

        client.sendForbidden(
                new SubscribePacket(
                        1,
                        0,
                        List.of(),
                        List.of(new SubscriptionRequest(filter, QoS.AT_MOST_ONCE, false, false, RetainHandling.SEND))),
                ReasonCode.MALFORMED_PACKET);
        client.sendForbidden(new UnsubscribePacket(2, List.of(), List.of(filter)), ReasonCode.MALFORMED_PACKET);
    }

    @Test
    void aSubscriptionRefusedByTheTrieLeavesNoState() {
        TestClient first = node.connect("first").subscribe(QoS.AT_MOST_ONCE, "+/a", "a/+", "+/+");
        TestClient second = node.connect("second").subscribe(QoS.AT_MOST_ONCE, "a/b/+", "a/b/c/+");

        assertThat(first.subscribed()).containsOnly(ReasonCode.SUCCESS);
        assertThat(second.subscribed()).containsExactly(ReasonCode.SUCCESS, ReasonCode.QUOTA_EXCEEDED);
        second.lose();
        first.lose();
        assertThat(node.trie.nodeCount()).isOne();
    }

    @Conformance({"MQTT-3.3.4-2", "MQTT-3.3.4-3", "MQTT-3.3.4-4"})
    @Test
    void overlappingSubscriptionsDeliverOneCopyWithTheHighestQosAndAllIdentifiers() {
        TestClient subscriber = node.connect("subscriber");
        List<String> filters = List.of("a/b", "a/+", "#");
        for (int id = 1; id <= 3; id++) {
            subscriber.send(new SubscribePacket(
                    id,
                    id,
                    List.of(),
                    List.of(new SubscriptionRequest(
                            filters.get(id - 1),
                            id == 2 ? QoS.AT_LEAST_ONCE : QoS.AT_MOST_ONCE,
                            false,
                            false,
                            RetainHandling.SEND))));
        }

        node.connect("publisher").publish("a/b", "once", QoS.EXACTLY_ONCE, 1);

        assertThat(subscriber.messages()).hasSize(1);
        PublishPacket got = subscriber.messages().getFirst();
        assertThat(got.subscriptionIdentifiers()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(got.qos()).isEqualTo(QoS.AT_LEAST_ONCE);
    }

    @Conformance("MQTT-3.8.3-3")
    @Test
    void noLocalSuppressesAClientsOwnMessages() {
        TestClient client = node.connect("c")
                .subscribe(new SubscriptionRequest("t", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND));

        client.publish("t", "own");
        node.connect("other").publish("t", "other's");

        assertThat(client.payloads()).containsExactly("other's");
    }

    @Conformance("MQTT-3.8.3-4")
    @Test
    void noLocalOnASharedSubscriptionIsAProtocolError() {
        node.connect("c")
                .sendForbidden(
                        new SubscribePacket(
                                1,
                                0,
                                List.of(),
                                List.of(new SubscriptionRequest(
                                        "$share/g/t", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND))),
                        ReasonCode.PROTOCOL_ERROR);
    }

    @Conformance({"MQTT-3.10.4-1", "MQTT-3.10.4-2", "MQTT-3.10.4-4", "MQTT-3.10.4-6", "MQTT-3.11.3-1", "MQTT-3.11.3-2"})
    @Test
    void unsubscribingEndsDeliveryAndReportsMissingSubscriptions() {
        TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t", "$share/g/t");

        subscriber.send(new UnsubscribePacket(8, List.of(), List.of("t", "never", "$share/g/t")));
        node.connect("publisher").publish("t", "late");

        assertThat(subscriber.connection().sent(UnsubAckPacket.class).getFirst().reasons())
                .containsExactly(ReasonCode.SUCCESS, ReasonCode.NO_SUBSCRIPTION_EXISTED, ReasonCode.SUCCESS);
        assertThat(subscriber.payloads()).isEmpty();
        assertThat(node.count("heddle.messages.unmatched")).isOne();
        assertThat(node.trie.nodeCount()).isOne();
    }

    @Test
    void clientsDoNotPublishToTheServersOwnTopics() {
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, "$SYS/#");

        client.publish("$SYS/broker/uptime", "forged");
        client.publish("$SYS/broker/uptime", "forged", QoS.AT_LEAST_ONCE, 1);

        assertThat(client.payloads()).isEmpty();
        assertThat(node.dropped("not_authorized")).isEqualTo(2);
        assertThat(client.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void aStuckReaderLosesQosZeroMessagesAndEachIsCounted() {
        TestClient slow = node.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("publisher");

        slow.connection().writable(false);
        publisher.publish("t", "lost");
        slow.connection().writable(true);
        publisher.publish("t", "read");
        slow.connection().refusePackets();
        publisher.publish("t", "too large");

        assertThat(slow.payloads()).containsExactly("read");
        assertThat(node.dropped("slow_consumer")).isOne();
        assertThat(node.dropped("packet_too_large")).isOne();
        assertThat(node.count("heddle.messages.delivered")).isOne();
        assertThat(node.count("heddle.messages.received")).isEqualTo(3);
    }

    @Test
    void subscribersOnAnotherEventLoopAreReachedByOneTaskOnIt() {
        TestClient first =
                node.connect(node.otherLoop, new Connect("first").packet()).subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient second = node.connect(
                        node.otherLoop,
                        new Connect("second").version(MqttVersion.V3_1_1).packet())
                .subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("publisher").unsettled();
        node.otherLoop.leave();

        publisher.publish("t", "x");

        assertThat(first.payloads()).isEmpty();
        assertThat(node.otherLoop.runTasks()).isOne();
        assertThat(first.payloads()).containsExactly("x");
        assertThat(second.payloads()).containsExactly("x");
    }

    @Test
    void anOverloadedEventLoopDropsQosZeroAndRefusesHigherQos() {
        TestClient here = node.connect("here").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient subscriber =
                node.connect(node.otherLoop, new Connect("there").packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = node.connect("publisher").unsettled();
        TestClient old = node.connect(
                        new Connect("old publisher").version(MqttVersion.V3_1_1).packet())
                .unsettled();
        node.otherLoop.leave();
        String payload = "x".repeat(10_000);

        for (int i = 0; i < 20; i++) {
            publisher.publish("t", payload);
        }
        publisher.publish("t", "important", QoS.AT_LEAST_ONCE, 5);
        old.sendForbidden(
                TestClient.packet("t", "important", QoS.AT_LEAST_ONCE, 5, false, PublishProperties.NONE),
                ReasonCode.QUOTA_EXCEEDED);

        assertThat(node.dropped("event_loop_overloaded")).isEqualTo(13);
        assertThat(publisher.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
        assertThat(old.connection().sent(PubAckPacket.class)).isEmpty();
        assertThat(node.dropped("publish_refused_overloaded")).isEqualTo(2);
        assertThat(here.payloads()).doesNotContain("important");
        node.otherLoop.runTasks();
        assertThat(subscriber.payloads()).hasSize(7);
        assertThat(node.metrics
                        .get("heddle.delivery.waiting.bytes")
                        .tags("loop", "1")
                        .gauge()
                        .value())
                .isZero();
        publisher.publish("t", "again", QoS.AT_LEAST_ONCE, 6);
        node.otherLoop.runTasks();
        assertThat(subscriber.payloads()).last().isEqualTo("again");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$queue/t",
                "$exclusive/t",
                "$oshare/g/t",
                "$limit/10/t",
                "$stream/t",
                "$delayed/5/t",
                "$share",
                "$",
                "$awsome/t",
                "$share/g/$queue/t",
                "$share/g/$share/t"
            })
    void aFilterThatNoTopicOfAClientMatchesIsRefused(String filter) {
        TestClient client = node.connect("c").subscribe(QoS.AT_LEAST_ONCE, filter, "t");
        TestClient persistent =
                node.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, filter, "t");

        assertThat(client.subscribed()).containsExactly(ReasonCode.TOPIC_FILTER_INVALID, ReasonCode.GRANTED_QOS_1);
        assertThat(persistent.subscribed()).containsExactly(ReasonCode.TOPIC_FILTER_INVALID, ReasonCode.GRANTED_QOS_1);
    }

    @Conformance("MQTT-4.7.2-1")
    @Test
    void topicsWithAnAllowedPrefixAreThoseOfClients() {
        TestClient named =
                node.connect("named").subscribe(QoS.AT_LEAST_ONCE, "$aws/things/+", "$share/g/$aws/things/1");
        TestClient wildcards = node.connect("wildcards").subscribe(QoS.AT_LEAST_ONCE, "#", "+/things/1");
        TestClient publisher = node.connect("publisher");

        publisher.publish("$aws/things/1", "shadow", QoS.AT_LEAST_ONCE, 1);

        assertThat(named.subscribed()).containsOnly(ReasonCode.GRANTED_QOS_1);
        assertThat(named.payloads()).containsExactly("shadow", "shadow");
        assertThat(wildcards.payloads()).isEmpty();
        assertThat(publisher.connection().sent(PubAckPacket.class).getLast().reason())
                .isEqualTo(ReasonCode.SUCCESS);
        publisher.publish("$awsome/things", "no", QoS.AT_LEAST_ONCE, 2);
        assertThat(publisher.connection().sent(PubAckPacket.class).getLast().reason())
                .isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }
}
