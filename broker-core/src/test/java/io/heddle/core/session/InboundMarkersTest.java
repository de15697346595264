package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.testkit.Conformance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** QoS 2 messages of clients with persistent sessions are delivered exactly once despite failures between their packets. */
final class InboundMarkersTest {
    private final TestNode node = new TestNode();
    private final TestClient direct = node.connect("direct").subscribe(QoS.EXACTLY_ONCE, "t");
    private TestClient publisher = connect();

    InboundMarkersTest() {
        stored().lose();
    }

    private TestClient connect() {
        return connect(node);
    }

    private static TestClient connect(TestNode to) {
        return to.connect(new Connect("p").persistent(60).packet());
    }

    /** Another client whose session keeps what is published. */
    private TestClient stored() {
        return node.connect(new Connect("stored").persistent(60).packet()).subscribe(QoS.EXACTLY_ONCE, "t");
    }

    private static List<Integer> pubRecs(TestClient client) {
        return client.connection().sent(PubRecPacket.class).stream()
                .map(PubRecPacket::packetId)
                .toList();
    }

    @Conformance("MQTT-4.3.3-10")
    @Test
    void aRepeatedMessageIsAcknowledgedOnceWhileItIsCommitted() {
        node.log.hold(100);
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        assertThat(pubRecs(publisher)).isEmpty();
        assertThat(direct.messages())
                .as("a message that may be repeated is not delivered")
                .isEmpty();

        node.log.release();
        node.runAll();

        assertThat(pubRecs(publisher)).containsExactly(7);
        assertThat(direct.payloads()).containsExactly("once");
        assertThat(stored().payloads()).containsExactly("once");
    }

    @Conformance({"MQTT-4.3.3-8", "MQTT-4.3.3-10"})
    @Test
    void aRepeatedCommittedMessageIsOnlyAcknowledgedAgain() {
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);

        assertThat(pubRecs(publisher)).containsExactly(7, 7);
        assertThat(direct.payloads()).containsExactly("once");
        assertThat(stored().payloads()).containsExactly("once");
    }

    @Conformance({"MQTT-4.3.3-10", "MQTT-4.3.3-11"})
    @Test
    void aReconnectWaitsForTheCommitOfAnEarlierMessage() {
        node.log.hold(100);
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        publisher.lose();
        TestClient back = connect();
        assertThat(back.connection().sent()).isEmpty();

        node.log.release();
        node.runAll();
        back.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        back.pubRel(7);

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(pubRecs(back)).containsExactly(7);
        assertThat(back.connection().sent(PubCompPacket.class))
                .extracting(PubCompPacket::reason)
                .containsExactly(ReasonCode.SUCCESS);
        assertThat(direct.payloads()).containsExactly("once");
        assertThat(stored().payloads()).containsExactly("once");
    }

    @Test
    void aMessageWhoseCommitFailedIsAcceptedWhenRepeated() {
        node.log.failWith(new IllegalStateException("the log is gone"));
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        assertThat(publisher.connection().isOpen()).isFalse();
        publisher.closed();
        assertThat(pubRecs(publisher)).isEmpty();
        assertThat(direct.messages()).isEmpty();
        node.log.failWith(null);

        TestClient back = connect();
        back.publish("t", "once", QoS.EXACTLY_ONCE, 7);

        assertThat(pubRecs(back)).containsExactly(7);
        assertThat(direct.payloads()).containsExactly("once");
        assertThat(stored().payloads()).containsExactly("once");
    }

    @Test
    void messagesBehindAFailedCommitAreRepeatedInOrder() {
        TestClient stored = stored();
        node.log.hold(100);
        publisher.publish("t", "first", QoS.EXACTLY_ONCE, 7);
        publisher.publish("t", "second", QoS.EXACTLY_ONCE, 8);
        node.log.failNextWith(new IllegalStateException("the transaction was aborted"));
        node.log.release();
        node.runAll();
        assertThat(publisher.connection().isOpen()).isFalse();
        publisher.closed();
        assertThat(pubRecs(publisher)).isEmpty();

        TestClient back = connect();
        back.publish("t", "first", QoS.EXACTLY_ONCE, 7);
        back.publish("t", "second", QoS.EXACTLY_ONCE, 8);

        assertThat(pubRecs(back)).containsExactly(7, 8);
        assertThat(direct.payloads()).containsExactly("first", "second");
        assertThat(stored.payloads()).containsExactly("first", "second");
    }

    @Conformance({"MQTT-4.3.3-10", "MQTT-4.3.3-12"})
    @Test
    void aMessageRepeatedAfterARestartIsOnlyAcknowledgedAgain() {
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        TestNode next = node.restarted();

        TestClient back = connect(next);
        back.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        back.pubRel(7);
        back.publish("t", "another", QoS.EXACTLY_ONCE, 7);

        assertThat(pubRecs(back)).containsExactly(7, 7);
        assertThat(next.connect(new Connect("stored").persistent(60).packet()).payloads())
                .containsExactly("once", "another");
    }

    @Test
    void pubCompWaitsForTheDurableRelease() {
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        node.log.hold(100);
        publisher.pubRel(7);
        assertThat(publisher.connection().sent(PubCompPacket.class)).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(publisher.connection().sent(PubCompPacket.class))
                .extracting(PubCompPacket::reason)
                .containsExactly(ReasonCode.SUCCESS);
        TestNode next = node.restarted();
        TestClient back = connect(next);
        back.publish("t", "another", QoS.EXACTLY_ONCE, 7);
        assertThat(next.connect(new Connect("stored").persistent(60).packet()).payloads())
                .containsExactly("once", "another");
    }

    @Test
    void aReleaseThatCannotBeWrittenIsNotAnswered() {
        publisher.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        node.log.failWith(new IllegalStateException("the log is gone"));
        publisher.pubRel(7);

        assertThat(publisher.connection().sent(PubCompPacket.class)).isEmpty();
        assertThat(publisher.disconnected()).containsExactly(ReasonCode.UNSPECIFIED_ERROR);
        publisher.closed();
        node.log.failWith(null);
        publisher = connect();
        publisher.pubRel(7);
        assertThat(publisher.connection().sent(PubCompPacket.class))
                .extracting(PubCompPacket::reason)
                .containsExactly(ReasonCode.SUCCESS);
    }
}
