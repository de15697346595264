package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.PubAckPacket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bug in the session of one client does not affect other clients. */
final class FaultIsolationTest {
    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");

    @ParameterizedTest
    @EnumSource(
            value = QoS.class,
            names = {"AT_MOST_ONCE", "AT_LEAST_ONCE"})
    void aFailingRecipientIsDisconnectedAndTheOthersGetTheMessage(QoS qos) {
        TestClient broken = node.connect("broken").subscribe(qos, "t");
        TestClient neighbour = node.connect("neighbour").subscribe(qos, "t");
        TestClient brokenElsewhere =
                node.connect(node.otherLoop, new Connect("elsewhere").packet()).subscribe(qos, "t");
        TestClient neighbourElsewhere =
                node.connect(node.otherLoop, new Connect("next").packet()).subscribe(qos, "t");
        broken.connection().failOnSend(new IllegalStateException("a bug"));
        brokenElsewhere.connection().failOnSend(new IllegalStateException("a bug"));
        node.otherLoop.leave();

        publisher.publish("t", "x", qos, qos == QoS.AT_MOST_ONCE ? 0 : 1);
        node.runAll();

        assertThat(neighbour.payloads()).containsExactly("x");
        assertThat(neighbourElsewhere.payloads()).containsExactly("x");
        assertThat(publisher.connection().isOpen()).isTrue();
        assertThat(publisher.connection().sent(PubAckPacket.class)).hasSize(qos == QoS.AT_MOST_ONCE ? 0 : 1);
        assertThat(broken.connection().isOpen()).isFalse();
        assertThat(brokenElsewhere.connection().isOpen()).isFalse();
        assertThat(node.count("heddle.sessions.faults")).isEqualTo(2);
        assertThat(node.dropped("fault")).isEqualTo(qos == QoS.AT_MOST_ONCE ? 2 : 0);
    }

    @Test
    void aClientWhoseSessionFailsDoesNotBlockTheNextConnection() {
        node.connect(new Connect("same").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        node.stores.registry.hold();
        TestClient second =
                node.connect(node.otherLoop, new Connect("same").persistent(60).packet());
        TestClient third =
                node.connect(node.otherLoop, new Connect("same").persistent(60).packet());
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        second.connection().failOnSend(new IllegalStateException("a bug"));

        node.stores.registry.release();
        node.runAll();

        assertThat(second.connection().isOpen()).isFalse();
        assertThat(third.connAck().sessionPresent()).isTrue();
        assertThat(third.payloads()).containsExactly("a");
        assertThat(node.count("heddle.sessions.faults")).isOne();
        assertThat(node.gauge("heddle.sessions.connected")).isEqualTo(2);
    }

    @Test
    void aFailingConnAckLeavesTheSessionWithoutAClient() {
        node.connect(new Connect("same").persistent(60).packet()).lose();
        TestClient broken = node.begin(
                node.otherLoop, new Connect("same").persistent(60).will(0).packet());
        broken.connection().failOnSend(new IllegalStateException("a bug"));
        node.runAll();

        assertThat(broken.established()).isEmpty();
        assertThat(broken.connection().isOpen()).isFalse();
        assertThat(node.gauge("heddle.sessions.connected")).isOne();
        assertThat(node.count("heddle.wills.published")).isZero();
        assertThat(node.connect(new Connect("same").persistent(60).packet())
                        .connAck()
                        .sessionPresent())
                .isTrue();
    }
}
