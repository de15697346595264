package io.heddle.core.session.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Publishers whose messages the log has not answered, and publishes to a log without room. */
final class PublisherShareTest {
    /** Four such messages are above the share, and one is below its half. */
    private static final String PAYLOAD = "x".repeat(1_000);

    private static final long SHARE = 4_000;

    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");

    private static PublishPacket retained(String topic, int packetId) {
        return TestClient.packet(topic, PAYLOAD, QoS.AT_LEAST_ONCE, packetId, true, PublishProperties.NONE);
    }

    private void hold() {
        node.log.hold(100);
        node.log.publisherShare(SHARE);
    }

    private boolean isRead() {
        return publisher.connection().isReading();
    }

    private List<ReasonCode> pubAcks() {
        return publisher.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    @Test
    void aPublisherOfRetainedMessagesAtQosZeroIsNotReadAboveItsShareUntilHalfOfItIsFree() {
        hold();
        for (int i = 1; i <= 3; i++) {
            publisher.retain("t/" + i, PAYLOAD);
            assertThat(isRead()).isTrue();
        }
        publisher.retain("t/4", PAYLOAD);
        assertThat(isRead()).isFalse();

        node.log.release(2);
        node.runAll();
        assertThat(isRead()).as("more than half of the share is used").isFalse();
        node.log.release(1);
        node.runAll();

        assertThat(isRead()).isTrue();
        assertThat(pubAcks()).isEmpty();
        node.log.release();
        assertThat(node.log.retained(TopicName.parse("t/4", 8))).isNotNull();
    }

    @Test
    void aPublisherAtQosOneIsNotReadAboveItsShare() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        hold();
        for (int packetId = 1; packetId <= 4; packetId++) {
            assertThat(isRead()).isTrue();
            publisher.publish("t", PAYLOAD, QoS.AT_LEAST_ONCE, packetId);
        }
        assertThat(isRead()).isFalse();

        node.log.release(3);
        node.runAll();

        assertThat(isRead()).isTrue();
        assertThat(pubAcks()).containsOnly(ReasonCode.SUCCESS).hasSize(3);
    }

    @Test
    void messagesOfBothKindsShareTheBytes() {
        hold();
        publisher.retain("t/1", PAYLOAD);
        publisher.send(retained("t/2", 1));
        publisher.retain("t/3", PAYLOAD);
        assertThat(isRead()).isTrue();
        publisher.send(retained("t/4", 2));
        assertThat(isRead()).isFalse();

        node.log.release();
        node.runAll();

        assertThat(isRead()).isTrue();
        assertThat(pubAcks()).hasSize(2);
    }

    @Test
    void aPublisherThatHasPublishedIsNotReadWhileOthersUseUpTheLog() {
        node.log.hold(100);
        node.log.publisherShare(0);
        publisher.publish("t", PAYLOAD);
        assertThat(isRead()).as("after a message that needs no log").isTrue();
        publisher.retain("t", PAYLOAD);
        node.log.release(1);
        node.runAll();
        node.advance(Duration.ofSeconds(1));
        assertThat(isRead()).isFalse();

        node.log.publisherShare(1);
        node.advance(Duration.ofMillis(5));

        assertThat(isRead()).isTrue();
    }

    @Test
    void aLogWithoutRoomRetainsNoMessageAtQosZeroAndNamesItsPublisher() {
        TestClient live = node.connect("live").subscribe(QoS.AT_MOST_ONCE, "t");
        publisher.retain("t", "before");
        node.log.hold(0);

        publisher.retain("t", "now");

        assertThat(live.payloads()).containsExactly("before", "now");
        assertThat(isRead()).isTrue();
        assertThat(node.count("heddle.retained.refused", "reason", "overloaded"))
                .isOne();
        assertThat(node.dropped("append_failed")).isZero();
        assertThat(node.lines.only())
                .contains("refused=a retained message, which is only delivered, clientId=publisher");
        node.log.release();
        assertThat(node.connect("late").subscribe(QoS.AT_MOST_ONCE, "t").payloads())
                .containsExactly("before");
    }

    @Test
    void aRetainedMessageThatCannotBeAppendedNamesItsPublisher() {
        node.log.failNextWith(new IllegalStateException("the log is gone"));

        publisher.retain("t", "lost");

        assertThat(node.dropped("append_failed")).isOne();
        assertThat(publisher.connection().isOpen()).isTrue();
        assertThat(node.lines.only())
                .startsWith(
                        "INFO Dropped a message: reason=append_failed, detail=a QoS 0 message was delivered but could"
                                + " not be retained, clientId=publisher");
    }

    @Test
    void aRetainedMessageAtQosOneIsRefusedByALogWithoutRoomAlsoWithoutSubscribers() {
        node.log.hold(0);

        publisher.send(retained("t", 1));

        assertThat(pubAcks()).containsExactly(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.dropped("publish_refused_overloaded")).isOne();
    }

    @Test
    void aRefusalThatEndsTheConnectionHasOneLineThatSaysWhatIsFull() {
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        node.log.hold(0);

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> old.send(retained("t", 1)))
                .matches(ProtocolException::isReported);

        assertThat(node.lines.only())
                .contains("setting=room, limit=0, refused=a published message, because messages of all clients fill the"
                        + " limit, clientId=old");
    }
}
