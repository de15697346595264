package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The packets that are resent over the next connection of a session. */
final class RedeliveryTest extends PersistentSessionFixture {
    private static final int FIRST_ID = 32_769;

    @Conformance({
        "MQTT-3.3.1-1",
        "MQTT-4.3.2-3",
        "MQTT-4.3.3-3",
        "MQTT-4.3.3-5",
        "MQTT-4.3.3-6",
        "MQTT-4.4.0-1",
        "MQTT-4.6.0-1"
    })
    @Test
    void messagesInFlightAreResentBeforeNewOnes() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        long idleBytes = node.memory.chargedBytes();
        publish(QoS.AT_LEAST_ONCE, "acknowledged", "one");
        publish(QoS.EXACTLY_ONCE, "two", "received");
        before.pubAck(FIRST_ID);
        before.pubRec(FIRST_ID + 3);
        before.lose();
        publish(QoS.AT_LEAST_ONCE, "new");

        TestClient back = connect();

        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(
                        tuple(FIRST_ID + 1, "one", true),
                        tuple(FIRST_ID + 2, "two", true),
                        tuple(FIRST_ID + 4, "new", false));
        assertThat(back.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(FIRST_ID + 3);
        back.pubComp(FIRST_ID + 3);
        back.pubAck(FIRST_ID + 1);
        back.pubRec(FIRST_ID + 2);
        back.pubComp(FIRST_ID + 2);
        back.pubAck(FIRST_ID + 4);
        assertThat(node.gauge("heddle.messages.in.flight")).isZero();
        assertThat(node.count("heddle.messages.delivered")).isEqualTo(5);
        assertThat(node.memory.chargedBytes()).isEqualTo(idleBytes);
    }

    @Conformance({"MQTT-4.3.3-5", "MQTT-4.4.0-1", "MQTT-4.6.0-4"})
    @Test
    void pubRelsAreResentInTheOrderOfTheirPubRecs() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c");
        before.pubRec(FIRST_ID + 2);
        before.pubRec(FIRST_ID);
        before.pubRec(FIRST_ID + 1);
        before.lose();

        assertThat(connect().connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(FIRST_ID + 2, FIRST_ID, FIRST_ID + 1);
    }

    @Conformance({"MQTT-3.3.1-1", "MQTT-3.3.4-9", "MQTT-4.9.0-1"})
    @Test
    void redeliveryRespectsTheNewReceiveMaximum() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b", "c");
        connect().lose();

        TestClient back =
                node.connect(new Connect("c").persistent(60).receiveMaximum(2).packet());
        assertThat(back.payloads()).containsExactly("a", "b");
        back.pubAck(FIRST_ID);
        assertThat(back.payloads()).containsExactly("a", "b", "c");
        assertThat(back.messages()).allMatch(PublishPacket::duplicate);
    }

    @Conformance("MQTT-3.3.4-9")
    @Test
    void uncompletedReleasesCountAgainstTheNewReceiveMaximum() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c", "d");
        before.pubRec(FIRST_ID);
        before.pubRec(FIRST_ID + 1);
        before.lose();

        TestClient back =
                node.connect(new Connect("c").persistent(60).receiveMaximum(1).packet());
        assertThat(back.messages()).isEmpty();
        back.pubComp(FIRST_ID);
        assertThat(back.messages()).isEmpty();
        back.pubComp(FIRST_ID + 1);
        assertThat(back.payloads()).containsExactly("c");
        back.pubRec(FIRST_ID + 2);
        back.pubComp(FIRST_ID + 2);
        assertThat(back.payloads()).containsExactly("c", "d");
    }

    @Conformance("MQTT-4.4.0-1")
    @Test
    void aMessageExpiredInFlightIsResentWithExpiryZero() {
        TestClient before = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publisher.send(TestClient.packet(
                "t", "a", QoS.AT_LEAST_ONCE, 1, false, PublishProperties.NONE.withMessageExpirySeconds(10)));
        before.lose();
        node.advance(Duration.ofSeconds(30));

        // The client may have the message already, so it is resent regardless of its age [MQTT-4.4.0-1].
        PublishPacket again = connect().messages().getFirst();
        assertThat(again.duplicate()).isTrue();
        assertThat(again.properties().messageExpirySeconds()).isZero();
    }

    @Test
    void anAcknowledgementBeforeTheResendDoesNotRaiseTheQuota() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b", "c", "d");
        connect().lose();
        TestClient back =
                node.connect(new Connect("c").persistent(60).receiveMaximum(2).packet());

        back.pubAck(FIRST_ID + 3);

        assertThat(back.payloads()).containsExactly("a", "b");
    }

    @Conformance("MQTT-4.4.0-1")
    @Test
    void anAcknowledgementOnTheOldConnectionStopsRedelivery() {
        TestClient before = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a");
        before.pubAck(FIRST_ID);
        before.lose();

        assertThat(connect().messages()).isEmpty();
    }

    @Conformance({"MQTT-3.3.1-1", "MQTT-4.3.3-6", "MQTT-4.4.0-1"})
    @Test
    void pubRelsAreResentBeforeUnacknowledgedMessages() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c", "d");
        before.pubRec(FIRST_ID + 3);
        before.pubRec(FIRST_ID + 1);
        before.lose();

        TestClient back = connect();

        assertThat(back.connection().sent().subList(1, 3))
                .extracting(packet -> packet instanceof PubRelPacket release ? release.packetId() : 0)
                .containsExactly(FIRST_ID + 3, FIRST_ID + 1);
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(FIRST_ID, "a", true), tuple(FIRST_ID + 2, "c", true));
    }

    @Test
    void anEarlyCompletionDoesNotAcknowledgeLowerMessages() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c", "d");
        before.pubRec(FIRST_ID + 3);
        before.pubRec(FIRST_ID + 1);
        before.lose();
        TestClient second = connect();
        second.pubComp(FIRST_ID + 3);
        second.pubComp(FIRST_ID + 1);
        second.lose();

        TestClient third = connect();
        assertThat(third.payloads()).containsExactly("a", "c");
        for (int packetId : new int[] {FIRST_ID, FIRST_ID + 2}) {
            third.pubRec(packetId);
            third.pubComp(packetId);
        }
        third.pubComp(FIRST_ID + 3);
        third.pubComp(FIRST_ID + 1);
        // The full queue learns of the acknowledgements.
        node.advance(Duration.ofMillis(20));
        publish(QoS.EXACTLY_ONCE, "e");
        third.lose();

        TestClient fourth = connect();
        assertThat(fourth.connection().sent(PubRelPacket.class)).isEmpty();
        assertThat(fourth.payloads()).containsExactly("e");
        assertThat(node.gauge("heddle.messages.in.flight")).isOne();
    }

    @Test
    void aClientThatDoesNotReadGetsPubRelsAtOnceAndMessagesLater() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b");
        before.pubRec(FIRST_ID + 1);
        before.lose();
        TestClient back = node.begin(node.loop, new Connect("c").persistent(60).packet());
        back.connection().writable(false);
        node.runAll();
        assertThat(back.connection().sent(PubRelPacket.class)).hasSize(1);
        assertThat(back.messages()).isEmpty();
        back.pubComp(FIRST_ID + 1);
        node.advance(Duration.ofSeconds(1));
        back.connection().writable(true);
        back.connected().onWritable();
        assertThat(back.payloads()).containsExactly("a");
        back.lose();

        assertThat(connect().payloads()).containsExactly("a");
    }

    @Test
    void pubRelWaitsForTheDurablePubRec() {
        TestClient client = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a");
        node.log.hold(100);
        client.pubRec(FIRST_ID);
        assertThat(client.connection().sent(PubRelPacket.class)).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(client.connection().sent(PubRelPacket.class)).hasSize(1);
    }

    @Test
    void aPubRecThatCannotBeWrittenEndsTheConnection() {
        TestClient client = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a");
        node.log.failWith(new IllegalStateException("the log is gone"));
        client.pubRec(FIRST_ID);
        client.closed();
        node.log.failWith(null);

        assertThat(client.connection().sent(PubRelPacket.class)).isEmpty();
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(connect().messages()).extracting(PublishPacket::duplicate).containsExactly(true);
    }
}
