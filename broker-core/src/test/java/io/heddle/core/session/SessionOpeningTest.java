package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Opening sessions, and failures of the stores meanwhile. */
final class SessionOpeningTest extends SessionOpeningFixture {
    @Test
    void aNewSessionIsRefusedWhileTheRegistryIsUnavailable() {
        node.stores.registry.failWith(away);
        long before = node.memory.chargedBytes();
        assertRefused(node.connect(new Connect("c").persistent(60).will(0).packet()));
        assertRefused(node.connect(
                new Connect("c").version(MqttVersion.V3_1_1).cleanStart(false).packet()));
        assertThat(node.memory.chargedBytes()).as("of the will").isEqualTo(before);
        assertThat(node.count("heddle.wills.published")).isZero();
        node.stores.registry.failWith(null);

        TestClient client = connect();

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(client.connAck().sessionPresent()).isFalse();
        node.advance(TestNode.REPORTED);
        assertThat(node.loop.timers()).isZero();
    }

    @Test
    void aSessionThatEndsWithItsConnectionNeedsNoStore() {
        node.stores.registry.failWith(away);
        node.stores.sessionLog.failWith(away);

        assertThat(node.connect("c").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aSessionThatCouldNotBeResumedIsKept() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        node.stores.registry.failWith(away);
        assertRefused(connect());
        assertThat(node.persistent.idle()).isOne();
        node.stores.registry.failWith(null);

        TestClient back = connect();

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a");
    }

    @Test
    void aFailedResumptionDoesNotExtendTheExpiry() {
        connect().lose();
        node.advance(Duration.ofSeconds(30));
        node.stores.registry.failWith(away);
        connect();
        node.advance(Duration.ofSeconds(30));

        assertThat(node.persistent.find(CLIENT)).isNull();
        assertThat(node.count("heddle.sessions.expired")).isOne();
    }

    @Test
    void aNewSessionThatCouldNotBeWrittenIsRolledBack() {
        node.stores.sessionLog.failWith(away);
        assertRefused(connect());
        assertThat(node.persistent.find(CLIENT)).isNull();
        assertThat(node.persistent.idle()).isZero();
        node.stores.sessionLog.failWith(null);

        assertThat(connect().connAck().sessionPresent()).isFalse();
        assertThat(node.persistent.idle()).isZero();
    }

    @Test
    void aNewSessionsClientIsAnsweredWhenTheSessionIsWritten() {
        node.stores.sessionLog.hold();
        TestClient client = connect();
        assertThat(client.connection().sent()).isEmpty();

        node.stores.sessionLog.release();
        node.runAll();

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aSessionIsResumedWhenItsBucketIsApplied() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.applying(false);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        TestClient back = connect();
        assertThat(back.connection().sent()).isEmpty();

        node.applying(true);

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a");
    }

    @Test
    void aClientWhoseBucketIsReleasedMeanwhileIsRefused() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.applying(false);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        TestClient back = connect();
        assertThat(back.connection().sent()).isEmpty();

        new Buckets(TestStores.BUCKETS).all().forEach(node.positions::release);
        node.runAll();

        assertRefused(back);
        assertRefused(connect());
    }

    @Test
    void aClientWhoseBucketLagsTooLongIsRefused() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.applying(false);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        TestClient back = connect();

        node.advance(Duration.ofSeconds(10));

        assertThat(back.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(back.connection().isOpen()).isFalse();
        node.applying(true);
        assertThat(connect().payloads()).containsExactly("a");
    }

    @Test
    void aSecondConnectWhileTheSessionIsOpenedTakesItOver() {
        node.stores.registry.hold();
        TestClient first = connect();
        TestClient second =
                node.connect(node.otherLoop, new Connect("c").persistent(60).packet());
        assertThat(first.connection().sent()).isEmpty();
        assertThat(second.connection().sent()).isEmpty();

        node.stores.registry.release();
        node.runAll();

        assertThat(first.connAck().sessionPresent()).isFalse();
        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(second.connAck().sessionPresent()).isTrue();
        assertThat(second.connection().isOpen()).isTrue();
    }

    @Test
    void aClientLostDuringTheOpeningLeavesItsSessionToTheNext() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.stores.registry.hold();
        TestClient gone = connect();
        gone.connection().lose();
        node.stores.registry.release();
        node.runAll();

        assertThat(gone.established()).isEmpty();
        assertThat(node.persistent.idle()).isOne();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        assertThat(connect().payloads()).containsExactly("a");
    }

    @Conformance("MQTT-3.1.2-4")
    @Test
    void aCleanStartLeavesNothingOfTheOldSessionInAnyStore() {
        TestClient old = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        old.publish("nobody", "x", QoS.EXACTLY_ONCE, 9);
        publisher.publish("t", "a", QoS.EXACTLY_ONCE, 1);
        old.pubRec(old.messages().getFirst().packetId());
        old.lose();

        TestClient fresh =
                node.connect(new Connect("c").persistent(60).cleanStart(true).packet());
        fresh.lose();
        TestNode next = node.restarted();
        TestClient back = next.connect(new Connect("c").persistent(60).packet());
        next.connect("publisher").publish("t", "b", QoS.AT_LEAST_ONCE, 1);

        assertThat(fresh.connAck().sessionPresent()).isFalse();
        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.connection().sent()).as("nothing but CONNACK").hasSize(1);
        assertThat(next.trie.size()).isZero();
    }

    @Test
    void aCleanStartWithoutExpiryLeavesNoSession() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();

        node.connect("c").lose();

        assertThat(node.persistent.all()).isEmpty();
        assertThat(connect().connAck().sessionPresent()).isFalse();
    }

    @Test
    void aSessionThatIsResumedWithoutExpiryEndsWithTheConnection() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 1);

        TestClient last = node.connect(
                new Connect("c").cleanStart(false).receiveMaximum(1).packet());
        assertThat(last.connAck().sessionPresent()).isTrue();
        last.pubAck(last.messages().getFirst().packetId());
        assertThat(last.payloads()).containsExactly("a", "b");
        last.lose();

        assertThat(node.persistent.find(CLIENT)).isNull();
        assertThat(node.trie.size()).isZero();
        assertThat(node.dropped("session_ended")).as("b").isOne();
        assertThat(connect().connAck().sessionPresent()).isFalse();
    }

    @Test
    void aClientOfAnotherTypeBeginsANewSession() {
        node.authenticator = shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, "u"));
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        node.authenticator = shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.APPLICATION, "u"));

        TestClient back = connect();

        assertThat(back.connAck().sessionPresent()).isFalse();
        assertThat(back.messages()).isEmpty();
        assertThat(node.dropped("session_ended")).isOne();
        assertThat(node.persistent.find(CLIENT))
                .isNotNull()
                .returns(ClientType.APPLICATION, session -> session.record().type())
                .returns(ClientType.APPLICATION, session -> session.subscriber().type());
    }

    private long generation(TestNode on) {
        return Objects.requireNonNull(on.persistent.find(CLIENT)).generation();
    }

    @Test
    void generationsRiseEvenIfTheClockOfTheStoreJumpsBack() {
        connect().lose();
        long ended = generation(node);
        node.connect("c").lose();
        node.stores.clock(() -> 1_000);

        connect().lose();
        long second = generation(node);
        assertThat(second).isGreaterThan(ended);
        node.connect("c").lose();
        TestNode next = node.restarted();
        next.connect(new Connect("c").persistent(60).packet());

        assertThat(generation(next)).isGreaterThan(second);
    }
}
