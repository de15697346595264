package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client with a persistent session that sends PUBLISH without waiting for SUBACK or UNSUBACK. */
final class PipelinedPublishTest {
    private final TestNode node = new TestNode();
    private TestClient client = connect();

    private TestClient connect() {
        return node.connect(node.otherLoop, new Connect("c").persistent(60).packet());
    }

    @ParameterizedTest
    @EnumSource(
            value = QoS.class,
            names = {"AT_MOST_ONCE", "AT_LEAST_ONCE"})
    void aPublishReachesTheSubscriptionBeforeIt(QoS qos) {
        client.unsettled().subscribe(QoS.AT_LEAST_ONCE, "t");
        client.publish("t", "hello", qos, 1);

        assertThat(client.payloads()).containsExactly("hello");
        assertThat(types())
                .startsWith("SubAckPacket")
                .contains(qos == QoS.AT_MOST_ONCE ? "PublishPacket" : "PubAckPacket");
        assertThat(node.count("heddle.publishes.held")).isOne();
        assertThat(client.connection().isReading()).isTrue();
    }

    /** Returns the types of the packets that follow CONNACK. */
    private List<String> types() {
        return client.connection().sent().stream()
                .map(each -> each.getClass().getSimpleName())
                .skip(1)
                .toList();
    }

    @Test
    void aPublishDoesNotReachTheSubscriptionThatWasRemovedBeforeIt() {
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        client.unsettled().send(new UnsubscribePacket(8, List.of(), List.of("t")));
        client.publish("t", "hello", QoS.AT_LEAST_ONCE, 1);

        assertThat(client.payloads()).isEmpty();
        assertThat(types()).containsExactly("SubAckPacket", "UnsubAckPacket", "PubAckPacket");
    }

    /** The transport counts and logs it, as it does for packets that are not held. */
    @Test
    void aViolationInAHeldPublishIsRejectedByTheConnection() {
        client.unsettled().subscribe(QoS.AT_LEAST_ONCE, "t");
        client.send(new PublishPacket(
                null,
                TestNode.SETTINGS.topicAliasMaximum() + 1,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(new byte[0])));

        DisconnectPacket answer =
                client.connection().sent(DisconnectPacket.class).getFirst();
        assertThat(answer.reason()).isEqualTo(ReasonCode.TOPIC_ALIAS_INVALID);
        assertThat(answer.reasonString()).isNotNull();
        assertThat(client.connection().isOpen()).isFalse();
    }

    @Test
    void nothingIsReadWhileAPublishIsHeld() {
        node.stores.clientLog.routes.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(client.connection().isReading()).isTrue();

        client.publish("t", "hello");
        assertThat(client.connection().isReading()).isFalse();
        assertThat(client.payloads()).isEmpty();

        node.stores.clientLog.routes.release();
        node.runAll();
        assertThat(client.connection().isReading()).isTrue();
        assertThat(client.payloads()).containsExactly("hello");
        assertThat(node.count("heddle.publishes.held.timeouts")).isZero();
    }

    @Test
    void aPublishIsHeldForOneSecondAtMost() {
        node.stores.clientLog.routes.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient other = node.connect("other").subscribe(QoS.AT_MOST_ONCE, "u");

        client.publish("u", "first");
        node.advance(Duration.ofMillis(999));
        assertThat(other.payloads()).isEmpty();
        node.advance(Duration.ofMillis(1));
        assertThat(other.payloads()).containsExactly("first");
        assertThat(node.count("heddle.publishes.held.timeouts")).isOne();

        // Later ones do not wait again for the same SUBSCRIBE.
        client.publish("u", "second");
        assertThat(other.payloads()).containsExactly("first", "second");

        node.stores.clientLog.routes.release();
        node.runAll();
        node.stores.clientLog.routes.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "v");
        client.publish("u", "third");
        assertThat(other.payloads()).hasSize(2);
    }

    @Test
    void aHeldPublishIsNotLostWithTheConnection() {
        client.unsettled().subscribe(QoS.AT_LEAST_ONCE, "t");
        client.unsettled().publish("t", "hello", QoS.AT_LEAST_ONCE, 1);
        client.lose();
        client = connect();

        assertThat(client.connAck().sessionPresent()).isTrue();
        assertThat(client.payloads()).containsExactly("hello");
    }

    @Test
    void aHeldPublishIsPublishedBeforeTheNodeStops() {
        TestClient other = node.connect("other").subscribe(QoS.AT_MOST_ONCE, "u");
        node.stores.clientLog.routes.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        client.publish("u", "hello");
        assertThat(other.payloads()).isEmpty();

        client.connection().lose();
        client.connected().onConnectionLost(DisconnectCause.byTransport(ReasonCode.SERVER_SHUTTING_DOWN, null));
        node.runAll();

        assertThat(other.payloads()).containsExactly("hello");
    }

    @Test
    void aHeldPublishIsNotLostWithATakeover() {
        TestClient other = node.connect("other").subscribe(QoS.AT_MOST_ONCE, "u");
        node.stores.clientLog.routes.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, "t");
        client.publish("u", "hello");
        TestClient next = node.begin(node.loop, new Connect("c").persistent(60).packet());
        node.runAll();

        assertThat(other.payloads()).containsExactly("hello");
        assertThat(client.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        node.stores.clientLog.routes.release();
        node.runAll();
        assertThat(next.connAck().sessionPresent()).isTrue();
    }
}
