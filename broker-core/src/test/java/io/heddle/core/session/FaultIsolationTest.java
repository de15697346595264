package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.subscription.Subscription;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aFailingEndOfAConnectionDoesNotBlockTheNextOne(long expirySeconds) {
        TestClient broken = node.connect(
                        new Connect("same").persistent(expirySeconds).will(0).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "wills");
        breakEnd(Objects.requireNonNull(node.sessions.find(new ClientId("same"))));

        TestClient next = node.connect(
                node.otherLoop, new Connect("same").persistent(expirySeconds).packet());

        assertThat(broken.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(next.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(node.count("heddle.sessions.faults")).isOne();
        assertThat(node.gauge("heddle.sessions.connected")).isEqualTo(3);
        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @SuppressWarnings("NullAway") // As a bug would leave it.
    private static void breakEnd(ClientSession session) {
        Map<String, Subscription> own = session.subscriptions().transientSubscriptions();
        if (own != null) {
            own.put("broken", null);
        } else {
            InvocationHandler failing = (_, _, _) -> {
                throw new IllegalStateException("a bug");
            };
            OutboundQueue queue = (OutboundQueue) Proxy.newProxyInstance(
                    OutboundQueue.class.getClassLoader(), new Class<?>[] {OutboundQueue.class}, failing);
            session.outbox().open(ClientType.DEVICE, queue, List.of());
        }
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
