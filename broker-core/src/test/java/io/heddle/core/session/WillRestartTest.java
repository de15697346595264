package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wills across the kill of a node and the start of another one over the same stores. */
final class WillRestartTest {
    private final TestNode node = new TestNode();

    WillRestartTest() {
        node.connect(subscriber()).subscribe(QoS.AT_LEAST_ONCE, "wills").lose();
    }

    private static io.heddle.core.mqtt.packet.ConnectPacket subscriber() {
        return new Connect("subscriber").persistent(3_600).packet();
    }

    private static TestClient connect(TestNode on, long expirySeconds, long delaySeconds) {
        return on.connect(
                new Connect("c").persistent(expirySeconds).will(delaySeconds).packet());
    }

    /** All that the subscriber finds in its queue, acknowledged. */
    private static List<String> published(TestNode on) {
        TestClient back = on.connect(subscriber());
        List<String> payloads = back.payloads();
        back.messages().forEach(message -> back.pubAck(message.packetId()));
        on.advance(Duration.ofSeconds(1));
        back.lose();
        return payloads;
    }

    @Conformance({"MQTT-3.1.2-7", "MQTT-3.1.2-8", "MQTT-3.1.2-10"})
    @Test
    void theWillOfAConnectedClientIsPublishedOnceWhenANodeServesAgain() {
        connect(node, 60, 0);

        TestNode next = node.restarted();

        assertThat(published(next)).containsExactly("gone");
        assertThat(published(next.restarted())).isEmpty();
    }

    @Test
    void aReconnectBeforeTheKillReplacesTheWill() {
        connect(node, 60, 0).disconnect();
        connect(node, 60, 0);
        assertThat(published(node.restarted())).containsExactly("gone");

        TestNode another = new TestNode();
        another.connect(subscriber()).subscribe(QoS.AT_LEAST_ONCE, "wills").lose();
        connect(another, 60, 5).lose();
        another.connect(new Connect("c").persistent(60).packet());
        TestNode next = another.restarted();
        next.advance(Duration.ofSeconds(60));
        assertThat(published(next)).isEmpty();
    }

    @Test
    void aWillDelayBeginsWhenTheNodeServesAgain() {
        connect(node, 60, 5);
        node.advance(Duration.ofSeconds(20));
        TestNode next = node.restarted();
        next.advance(Duration.ofMillis(3_999));
        assertThat(published(next)).isEmpty();

        next.advance(Duration.ofMillis(1));

        assertThat(published(next)).containsExactly("gone");
    }

    @Conformance("MQTT-3.1.3-9")
    @Test
    void aReconnectWithinTheDelayDiscardsTheWill() {
        connect(node, 60, 5);
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(4));
        TestClient back = next.connect(new Connect("c").persistent(60).packet());
        next.advance(Duration.ofSeconds(60));

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(published(next)).isEmpty();
        assertThat(published(next.restarted())).isEmpty();
    }

    @Test
    void theRestOfADelayContinuesAfterTheRestart() {
        connect(node, 60, 10).lose();
        node.advance(Duration.ofSeconds(7));
        TestNode next = node.restarted();
        next.advance(Duration.ofMillis(2_999));
        assertThat(next.count("heddle.wills.published")).isZero();

        next.advance(Duration.ofMillis(1));

        assertThat(next.count("heddle.wills.published")).isOne();
        assertThat(published(next.restarted())).containsExactly("gone");
        assertThat(published(next.restarted())).as("no second time").isEmpty();
    }

    @Conformance({"MQTT-3.1.2-10", "MQTT-3.14.4-3"})
    @Test
    void aNormalDisconnectRemovesTheStoredWill() {
        connect(node, 60, 0).disconnect();
        connect(node, 60, 5).disconnect();
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(60));

        assertThat(published(next)).isEmpty();
        assertThat(next.count("heddle.wills.published")).isZero();
    }

    @Test
    void aDisconnectWithWillPublishesItOnce() {
        TestClient client = connect(node, 60, 0);
        client.send(DisconnectPacket.of(ReasonCode.DISCONNECT_WITH_WILL_MESSAGE, null));
        client.closed();

        assertThat(published(node.restarted())).containsExactly("gone");
    }

    @Test
    void anUnwrittenWillIsPublishedAfterTheRestart() {
        TestClient client = connect(node, 60, 0);
        node.log.hold(10);
        client.lose();
        node.runAll();

        TestNode next = node.restarted();

        assertThat(published(next)).containsExactly("gone");
        assertThat(published(next.restarted())).isEmpty();
    }

    @Test
    void aWillOfUnknownOutcomeIsPublishedAfterTheRestart() {
        TestClient client = connect(node, 60, 1);
        client.lose();
        node.log.failWith(new IllegalStateException("the log is closed"));
        node.advance(Duration.ofSeconds(5));
        assertThat(published(node)).isEmpty();

        assertThat(published(node.restarted())).containsExactly("gone");
    }

    @Test
    void aTakeoverBeforeTheOldWillIsWrittenLosesNeitherWill() {
        connect(node, 60, 0);
        node.log.hold(10);
        connect(node, 60, 0);
        assertThat(published(node.restarted())).as("the old will again").containsExactly("gone");

        TestNode another = new TestNode();
        another.connect(subscriber()).subscribe(QoS.AT_LEAST_ONCE, "wills").lose();
        connect(another, 60, 0);
        connect(another, 60, 0);
        assertThat(published(another.restarted()))
                .as("the old will and the new will")
                .containsExactly("gone", "gone");
    }

    @Test
    void aWillIsPublishedAtTheLatestWhenItsSessionEnds() {
        connect(node, 3, 50);
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(3));
        assertThat(published(next)).containsExactly("gone");
        next.advance(Duration.ofSeconds(1));

        assertThat(next.persistent.find(new ClientId("c"))).isNull();
        assertThat(published(next.restarted())).isEmpty();
    }

    @Test
    void aDelayThatPassedWhileTheNodeWasDownCannotBeDiscarded() {
        connect(node, 600, 5).lose();
        node.loop.advance(Duration.ofSeconds(20));
        TestNode next = node.restarted();
        next.connect(new Connect("c").persistent(600).packet());

        assertThat(published(next)).containsExactly("gone");
    }

    @Test
    void restoredWillsAreChargedEvenWithoutRoom() {
        connect(node, 60, 5);
        TestNode small = new TestNode(TestNode.SETTINGS, 1, node.stores);
        long with = small.memory.chargedBytes();
        small.advance(Duration.ofSeconds(5));

        assertThat(small.count("heddle.wills.published")).isOne();
        assertThat(small.memory.chargedBytes())
                .isLessThan(with)
                .isGreaterThanOrEqualTo(TestNode.persistentBytes("c") + TestNode.persistentBytes("subscriber"));
    }

    @Test
    void connAckOfAResumedSessionWaitsForTheRecordWithItsNewWill() {
        connect(node, 60, 0).disconnect();
        node.stores.sessionLog.hold();
        TestClient back = connect(node, 60, 0);
        assertThat(back.connection().sent()).as("the will is not durable").isEmpty();

        node.stores.sessionLog.release();
        node.runAll();

        assertThat(back.connAck().sessionPresent()).isTrue();
        node.advance(TestNode.REPORTED);
        assertThat(node.loop.timers()).isZero();
    }

    @Test
    void connAckWaitsForTheRecordBehindTheTakenOverWill() {
        connect(node, 60, 0);
        node.log.hold(10);
        TestClient back = connect(node, 60, 0);
        assertThat(back.connection().sent()).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(published(node.restarted())).as("old and new").containsExactly("gone", "gone");
    }

    @Test
    void aClientWhoseRecordCannotBeWrittenIsRefusedAndItsOldWillStillWaits() {
        connect(node, 60, 20).lose();
        node.stores.sessionLog.hold();
        TestClient refused = connect(node, 60, 30);
        node.advance(Duration.ofSeconds(10));
        node.stores.sessionLog.release();
        node.runAll();

        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(published(node)).isEmpty();
        node.advance(Duration.ofSeconds(10));
        assertThat(published(node)).as("at its own time").containsExactly("gone");
        assertThat(published(node.restarted())).isEmpty();
    }

    @Test
    void aClientLostBeforeItsRecordIsWrittenKeepsTheOldWill() {
        connect(node, 60, 20).lose();
        node.stores.sessionLog.hold();
        TestClient gone = connect(node, 60, 0);
        gone.connection().lose();
        node.stores.sessionLog.release();
        node.advance(Duration.ofSeconds(19));
        assertThat(published(node)).as("neither will").isEmpty();

        node.advance(Duration.ofSeconds(1));

        assertThat(gone.established()).isEmpty();
        assertThat(published(node)).containsExactly("gone");
        assertThat(node.persistent.idle()).isEqualTo(2);
    }

    @Test
    void aCleanStartEndsTheSessionWhenItsWillHasArrived() {
        connect(node, 60, 20).lose();
        node.log.hold(10);
        TestClient fresh =
                node.connect(new Connect("c").persistent(60).cleanStart(true).packet());
        assertThat(fresh.connection().sent()).isEmpty();
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(20));
        assertThat(published(next)).as("killed before").containsExactly("gone");

        TestNode another = new TestNode();
        another.connect(subscriber()).subscribe(QoS.AT_LEAST_ONCE, "wills").lose();
        connect(another, 60, 20).lose();
        another.connect(new Connect("c").persistent(60).cleanStart(true).packet());
        assertThat(published(another)).containsExactly("gone");
        assertThat(published(another.restarted())).isEmpty();
    }

    @Test
    void aCleanStartThatTakesOverEndsTheSessionWhenItsWillHasArrived() {
        connect(node, 60, 0);
        node.log.hold(10);
        node.connect(new Connect("c").persistent(60).cleanStart(true).packet());

        assertThat(published(node.restarted())).containsExactly("gone");
    }

    @Test
    void aDisconnectThatEndsTheSessionKeepsARequestedWill() {
        TestClient client = connect(node, 60, 0);
        node.log.hold(10);
        client.send(new DisconnectPacket(ReasonCode.DISCONNECT_WITH_WILL_MESSAGE, 0L, null, List.of(), null));
        assertThat(client.connection().isOpen()).isTrue();
        assertThat(published(node.restarted())).containsExactly("gone");

        TestNode another = new TestNode();
        another.connect(subscriber()).subscribe(QoS.AT_LEAST_ONCE, "wills").lose();
        connect(another, 60, 20)
                .send(new DisconnectPacket(ReasonCode.DISCONNECT_WITH_WILL_MESSAGE, 0L, null, List.of(), null));
        assertThat(another.persistent.find(new ClientId("c"))).isNull();
        assertThat(published(another)).containsExactly("gone");
        assertThat(published(another.restarted())).isEmpty();
    }

    @Test
    void afterDisconnectTheConnectionIsClosedWhenTheStoredWillIsRemoved() {
        TestClient client = connect(node, 60, 0);
        node.stores.sessionLog.hold();
        client.send(DisconnectPacket.of(ReasonCode.SUCCESS, null));
        assertThat(client.connection().isOpen())
                .as("a restart would publish the will")
                .isTrue();
        TestClient withoutWill = node.connect("plain");
        withoutWill.send(DisconnectPacket.of(ReasonCode.SUCCESS, null));
        assertThat(withoutWill.connection().isOpen()).isFalse();

        node.stores.sessionLog.release();
        node.runAll();

        assertThat(client.connection().isOpen()).isFalse();
        node.advance(TestNode.REPORTED);
        assertThat(node.loop.timers()).isZero();
    }

    @Test
    void afterDisconnectTheConnectionIsClosedEventuallyWithoutAnAnswerOfTheLog() {
        TestClient client = connect(node, 60, 0);
        node.stores.sessionLog.hold();
        client.send(DisconnectPacket.of(ReasonCode.SUCCESS, null));
        node.advance(Duration.ofMillis(9_999));
        assertThat(client.connection().isOpen()).isTrue();

        node.advance(Duration.ofMillis(1));

        assertThat(client.connection().isOpen()).isFalse();
    }

    @Test
    void aRejectedRecordIsWrittenWhenTheLogAcceptsItAgain() {
        TestNode another = new TestNode();
        another.connect(subscriber()).subscribe(QoS.AT_LEAST_ONCE, "wills").lose();
        TestClient second = connect(another, 60, 0);
        another.stores.sessionLog.failWith(new IllegalStateException("too much waits"));
        second.disconnect();
        another.stores.sessionLog.failWith(null);
        another.advance(Duration.ofSeconds(1));
        assertThat(published(another.restarted())).isEmpty();
    }
}
