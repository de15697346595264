package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.session.persistent.PersistentSession;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Openings whose stores answer late, or after another node has taken over. */
final class LateSessionOpeningTest extends SessionOpeningFixture {
    /** A node that is no longer in charge cannot write the record, and so cannot take over the queue. */
    @Test
    void aConnectionIsRegisteredWhenItsRecordIsDurable() {
        TestClient client = connectWithRecordFirst();
        assertThat(client.connAck().sessionPresent()).isFalse();
        client.lose();

        assertThat(connectWithRecordFirst().connAck().sessionPresent()).isTrue();
    }

    /** Connects while the stores answer only when the test lets them, and asserts the order of their requests. */
    private TestClient connectWithRecordFirst() {
        node.stores.registry.hold();
        node.stores.sessionLog.hold();
        TestClient client = connect();
        assertThat(node.stores.registry.waiting()).isZero();

        node.stores.sessionLog.release();
        node.runAll();
        assertThat(node.stores.registry.waiting()).isOne();

        node.stores.registry.release();
        node.runAll();
        return client;
    }

    @Test
    void aLaterRegistrationIsNotReplaced() {
        TestClient client = connect();
        long ahead = node.persistent.epochs().next() + Duration.ofHours(1).toNanos() / 1_000;
        client.lose();
        PersistentSession session = Objects.requireNonNull(node.persistent.find(CLIENT));
        var _ = node.queues.connect(session.bucket(), CLIENT, session.generation(), 0, ahead, "another-node");

        assertRefused(connect());

        assertThat(connect().connAck().sessionPresent())
                .as("the next connection knows the epoch")
                .isTrue();
    }

    @Test
    void theStoresMustAnswerWithinTenSeconds() {
        node.stores.registry.hold();
        TestClient client = connect();
        node.advance(Duration.ofMillis(9_999));
        assertThat(client.connection().sent()).isEmpty();
        node.advance(Duration.ofMillis(1));
        assertRefused(client);

        // The answer comes after the refusal.
        node.stores.registry.release();
        node.runAll();
        assertThat(node.persistent.find(CLIENT)).isNull();
        assertThat(connect().connAck().sessionPresent()).isFalse();
    }

    /** Frozen between the record of a new session and the answer of the registry, for longer than the limit of an opening. */
    @Test
    void aFrozenNodeDestroysNoQueueOfTheNodeThatTookOver() {
        node.stores.registry.hold();
        connect();
        node.stores.registry.holdNoMore();
        // The node is frozen and replaced.
        TestNode next = node.restarted();
        TestClient client = next.connect(new Connect("c").persistent(60).packet());
        assertThat(client.connAck().sessionPresent()).isTrue();
        client.subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        TestClient other = next.connect("publisher");
        other.publish("t", "acknowledged", QoS.AT_LEAST_ONCE, 1);
        assertThat(other.connection().sent(PubAckPacket.class)).hasSize(1);

        // It continues; Kafka refuses its commits.
        node.stores.sessionLog.failWith(away);
        node.advance(Duration.ofSeconds(10));
        node.stores.registry.release();
        node.runAll();
        node.stores.sessionLog.failWith(null);

        assertThat(next.connect(new Connect("c").persistent(60).packet()).payloads())
                .containsExactly("acknowledged");
    }

    /** A node that was frozen and replaced never gets this commit; the queue belongs to the node that took over. */
    @Test
    void theQueueOfARefusedSessionStaysUntilItsEndIsDurable() {
        node.stores.registry.hold();
        TestClient client = connect();
        node.stores.sessionLog.hold();
        node.advance(Duration.ofSeconds(10));
        assertRefused(client);

        node.stores.registry.release();
        node.runAll();

        assertThat(node.stores.registry.ends())
                .as("before the end of the session is durable")
                .isZero();

        node.stores.sessionLog.release();
        node.runAll();
        assertThat(node.stores.registry.ends()).as("afterwards").isPositive();
    }

    @Test
    void aNewSessionThatWasNotWrittenInTimeIsRolledBack() {
        node.stores.sessionLog.hold();
        TestClient client = connect();
        node.advance(Duration.ofSeconds(10));
        assertRefused(client);
        node.stores.sessionLog.release();
        node.runAll();

        assertThat(node.persistent.find(CLIENT)).isNull();
        assertThat(connect().connAck().sessionPresent()).isFalse();
        assertThat(node.restarted().persistent.all()).hasSize(1);
    }

    @Test
    void aSessionWhoseRegistrationCameTooLateIsKept() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.stores.registry.hold();
        TestClient tooEarly = connect();
        node.advance(Duration.ofSeconds(10));
        assertRefused(tooEarly);
        node.stores.registry.release();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);

        TestClient back = connect();

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a");
    }

    @Test
    void aSecondConnectWhileTheFirstFailsIsServed() {
        node.stores.registry.hold();
        TestClient first = connect();
        TestClient second = connect();
        node.advance(Duration.ofSeconds(10));
        assertRefusedOnly(first);
        node.stores.registry.release();
        node.runAll();

        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(node.persistent.find(CLIENT)).isNotNull();
    }

    private static void assertRefusedOnly(TestClient client) {
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(client.connection().isOpen()).isFalse();
    }
}
