package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Publishing at QoS 1 and 2, and with topic aliases. */
final class InboundQosTest {
    private final TestNode node = new TestNode();

    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t/#");
    private final TestClient publisher = node.connect("publisher");

    private static PublishPacket aliased(String topic, int alias, String payload) {
        PublishPacket packet = TestClient.packet(
                "x", payload, QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID, false, PublishProperties.NONE);
        return new PublishPacket(
                topic.isEmpty() ? null : TopicName.parse(topic, 8),
                alias,
                packet.qos(),
                false,
                false,
                packet.packetId(),
                packet.properties(),
                List.of(),
                packet.payload());
    }

    private <T extends MqttPacket> List<T> answers(Class<T> kind) {
        return publisher.connection().sent(kind);
    }

    @Conformance({"MQTT-2.2.1-5", "MQTT-3.3.4-1", "MQTT-4.3.2-4"})
    @Test
    void aQosOneMessageIsAcknowledgedWithOrWithoutMatchingSubscribers() {
        publisher.publish("t/1", "a", QoS.AT_LEAST_ONCE, 11);
        publisher.publish("nobody", "b", QoS.AT_LEAST_ONCE, 12);

        assertThat(answers(PubAckPacket.class))
                .containsExactly(
                        new PubAckPacket(11, ReasonCode.SUCCESS, null, List.of()),
                        new PubAckPacket(12, ReasonCode.NO_MATCHING_SUBSCRIBERS, null, List.of()));
        assertThat(subscriber.payloads()).containsExactly("a");
    }

    @Conformance({
        "MQTT-2.2.1-5",
        "MQTT-3.3.4-1",
        "MQTT-3.5.2-1",
        "MQTT-3.7.2-1",
        "MQTT-4.3.3-8",
        "MQTT-4.3.3-10",
        "MQTT-4.3.3-11"
    })
    @Test
    void aRepeatedQosTwoMessageIsDeliveredOnce() {
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        publisher.pubRel(7);
        publisher.pubRel(7);

        assertThat(subscriber.payloads()).containsExactly("once");
        assertThat(answers(PubRecPacket.class))
                .extracting(PubRecPacket::packetId, PubRecPacket::reason)
                .containsExactly(tuple(7, ReasonCode.SUCCESS), tuple(7, ReasonCode.SUCCESS));
        assertThat(answers(PubCompPacket.class))
                .extracting(PubCompPacket::reason)
                .containsExactly(ReasonCode.SUCCESS, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
    }

    @Conformance("MQTT-4.3.3-12")
    @Test
    void aReleasedIdentifierMayBeUsedForANewMessage() {
        publisher.publish("t", "first", QoS.EXACTLY_ONCE, 7);
        publisher.pubRel(7);
        publisher.publish("t", "second", QoS.EXACTLY_ONCE, 7);

        assertThat(subscriber.payloads()).containsExactly("first", "second");
    }

    @Conformance("MQTT-4.3.3-9")
    @Test
    void aRefusedQosTwoMessageIsNotRemembered() {
        publisher.publish("$SYS/x", "no", QoS.EXACTLY_ONCE, 7);
        publisher.publish("t", "yes", QoS.EXACTLY_ONCE, 7);

        assertThat(answers(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.NOT_AUTHORIZED, ReasonCode.SUCCESS);
        assertThat(subscriber.payloads()).containsExactly("yes");
    }

    @Conformance("MQTT-3.3.4-7")
    @Test
    void exceedingTheReceiveMaximumEndsTheConnection() {
        TestNode strict = new TestNode(
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
                        TestNode.QUEUE,
                        50,
                        20_000,
                        TestNode.PATIENCE),
                1_000_000);
        TestClient gets = strict.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient sends = strict.connect("publisher");
        sends.publish("t", "a", QoS.EXACTLY_ONCE, 1);
        sends.publish("t", "b", QoS.EXACTLY_ONCE, 2);
        sends.publish("t", "b", QoS.EXACTLY_ONCE, 2);

        sends.sendForbidden(
                TestClient.packet("t", "c", QoS.EXACTLY_ONCE, 3, false, PublishProperties.NONE),
                ReasonCode.RECEIVE_MAXIMUM_EXCEEDED);
        sends.pubRel(1);
        sends.publish("t", "c", QoS.EXACTLY_ONCE, 3);
        assertThat(gets.payloads()).containsExactly("a", "b", "c");
    }

    @Test
    void aClientOfMqtt3HasNoReceiveMaximum() {
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        for (int id = 1; id <= 100; id++) {
            old.publish("t", "m", QoS.EXACTLY_ONCE, id);
        }

        assertThat(old.connection().sent(PubRecPacket.class)).hasSize(100);
    }

    @Conformance("MQTT-4.3.3-10")
    @Test
    void aQosTwoExchangeContinuesAfterAReconnect() {
        TestClient before = node.connect(new Connect("p").persistent(60).packet());
        before.publish("t", "once", QoS.EXACTLY_ONCE, 9);
        before.lose();

        TestClient after = node.connect(new Connect("p").persistent(60).packet());
        after.publish("t", "once", QoS.EXACTLY_ONCE, 9);
        after.pubRel(9);

        assertThat(subscriber.payloads()).containsExactly("once");
        assertThat(after.connection().sent(PubCompPacket.class).getFirst().reason())
                .isEqualTo(ReasonCode.SUCCESS);
    }

    @Conformance("MQTT-3.3.2-12")
    @Test
    void anAliasResolvesToTheTopicItWasSetWith() {
        publisher.send(aliased("t/1", 1, "set"));
        publisher.send(aliased("", 1, "used"));
        publisher.send(aliased("t/2", 1, "changed"));
        publisher.send(aliased("", 1, "used again"));

        assertThat(subscriber.messages())
                .extracting(message -> String.valueOf(message.topic()), TestClient::payload)
                .containsExactly(
                        tuple("t/1", "set"), tuple("t/1", "used"), tuple("t/2", "changed"), tuple("t/2", "used again"));
    }

    @Conformance({"MQTT-3.3.2-9", "MQTT-3.2.2-17"})
    @Test
    void anAliasAboveTheMaximumOrNeverSetEndsTheConnection() {
        publisher.sendForbidden(aliased("t", 3, "x"), ReasonCode.TOPIC_ALIAS_INVALID);
        publisher.sendForbidden(aliased("", 2, "x"), ReasonCode.PROTOCOL_ERROR);
        publisher.sendForbidden(aliased("", PublishPacket.NO_TOPIC_ALIAS, "x"), ReasonCode.PROTOCOL_ERROR);
    }

    @Conformance("MQTT-3.3.2-7")
    @Test
    void aliasesEndWithTheirConnection() {
        TestClient before = node.connect(new Connect("p").persistent(60).packet());
        before.send(aliased("t", 1, "set"));
        before.lose();

        node.connect(new Connect("p").persistent(60).packet())
                .sendForbidden(aliased("", 1, "x"), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void unreleasedQosTwoMessagesAreLimitedAcrossConnections() {
        TestNode small = new TestNode(
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
                        TestNode.QUEUE,
                        3,
                        5,
                        TestNode.PATIENCE),
                1_000_000);
        TestClient client = small.connect(new Connect("c").persistent(60).packet());
        client.publish("t", "a", QoS.EXACTLY_ONCE, 1);
        client.publish("t", "b", QoS.EXACTLY_ONCE, 2);
        client.lose();
        TestClient back = small.connect(new Connect("c").persistent(60).packet());
        back.publish("t", "c", QoS.EXACTLY_ONCE, 3);
        back.publish("t", "d", QoS.EXACTLY_ONCE, 4);

        assertThat(back.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::packetId, PubRecPacket::reason)
                .containsExactly(tuple(3, ReasonCode.NO_MATCHING_SUBSCRIBERS), tuple(4, ReasonCode.QUOTA_EXCEEDED));
        assertThat(small.dropped("publish_refused_maximum_unreleased")).isOne();
        back.pubRel(1);
        back.publish("t", "d", QoS.EXACTLY_ONCE, 4);
        assertThat(back.connection().sent(PubRecPacket.class).getLast().reason())
                .isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
    }
}
