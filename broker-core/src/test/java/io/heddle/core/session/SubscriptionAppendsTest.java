package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.testkit.Conformance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SUBACK and UNSUBACK of persistent sessions confirm that the change is durable. */
final class SubscriptionAppendsTest {
    private static final UnsubscribePacket UNSUBSCRIBE = new UnsubscribePacket(8, List.of(), List.of("t"));

    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");
    private final TestClient client =
            node.connect(new Connect("c").persistent(60).packet());

    private void retain() {
        publisher.send(TestClient.packet("t", "retained", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
    }

    @Conformance({"MQTT-3.3.1-9", "MQTT-3.8.4-1"})
    @Test
    void subAckWaitsForTheLogAndRetainedMessagesFollowIt() {
        retain();
        node.stores.routeLog.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t", "u");
        assertThat(client.connection().sent()).as("nothing but CONNACK").hasSize(1);

        node.stores.routeLog.release();
        node.runAll();

        assertThat(client.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1, ReasonCode.GRANTED_QOS_1);
        assertThat(client.payloads()).containsExactly("retained");
        assertThat(client.connection().sent().get(1)).isInstanceOf(SubAckPacket.class);
    }

    @Test
    void aSubscriptionReceivesMessagesBeforeItIsWritten() {
        node.stores.routeLog.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);

        assertThat(client.payloads()).containsExactly("a");
    }

    @Test
    void aSessionThatEndsWithItsConnectionDoesNotWait() {
        node.stores.routeLog.hold();

        assertThat(node.connect("brief").subscribe(QoS.AT_LEAST_ONCE, "t").subscribed())
                .containsExactly(ReasonCode.GRANTED_QOS_1);
    }

    @Conformance("MQTT-3.10.4-4")
    @Test
    void unsubAckWaitsForTheLog() {
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        node.stores.routeLog.hold();
        client.send(UNSUBSCRIBE);
        assertThat(client.connection().sent(UnsubAckPacket.class)).isEmpty();

        node.stores.routeLog.release();
        node.runAll();

        assertThat(client.connection().sent(UnsubAckPacket.class)).hasSize(1);
        assertThat(node.restarted().trie.size()).isZero();
    }

    @Test
    void aSubscriptionRemovedBeforeItIsWrittenGetsNoRetainedMessages() {
        retain();
        node.stores.routeLog.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        client.send(UNSUBSCRIBE);
        node.stores.routeLog.release();
        node.runAll();

        assertThat(client.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(client.connection().sent(UnsubAckPacket.class)).hasSize(1);
        assertThat(client.messages()).isEmpty();
    }

    @Test
    void aSubscriptionThatCannotBeWrittenEndsTheConnectionWithoutSubAck() {
        node.stores.routeLog.failWith(new IllegalStateException("the log is gone"));
        client.subscribe(QoS.AT_LEAST_ONCE, "t");

        assertThat(client.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(client.disconnected()).containsExactly(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Test
    void anUnsubscribeThatCouldNotBeWrittenIsWrittenWhenTheClientRepeatsIt() {
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        node.stores.routeLog.failWith(new IllegalStateException("the log is gone"));
        client.send(UNSUBSCRIBE);
        assertThat(client.connection().sent(UnsubAckPacket.class)).isEmpty();
        assertThat(client.disconnected()).containsExactly(ReasonCode.UNSPECIFIED_ERROR);
        client.closed();
        node.runAll();
        node.stores.routeLog.failWith(null);

        TestClient again = node.connect(new Connect("c").persistent(60).packet());
        again.send(UNSUBSCRIBE);
        assertThat(again.connection().sent(UnsubAckPacket.class)).hasSize(1);
        assertThat(node.restarted().trie.size()).isZero();
    }

    @Test
    void aSubscriptionThatCouldNotBeWrittenIsWrittenWithTheNextChange() {
        node.stores.routeLog.failWith(new IllegalStateException("the log is gone"));
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        client.closed();
        node.runAll();
        node.stores.routeLog.failWith(null);
        node.connect(new Connect("c").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "u");

        assertThat(node.restarted().trie.size()).isEqualTo(2);
    }

    @Test
    void aClientDisconnectedBeforeSubAckKeepsItsSubscription() {
        node.stores.routeLog.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        client.lose();
        node.stores.routeLog.release();
        node.runAll();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);

        TestClient back = node.connect(new Connect("c").persistent(60).packet());

        assertThat(client.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(back.payloads()).containsExactly("a");
        assertThat(back.messages()).noneMatch(PublishPacket::duplicate);
    }
}
