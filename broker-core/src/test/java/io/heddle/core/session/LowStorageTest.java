package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Publishes while there is no room to store messages. */
final class LowStorageTest {
    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");

    private void free(long bytes) {
        node.freeBytes = bytes;
        node.storage.measureFreeBytes();
        node.storage.judge(0, 0);
    }

    private TestClient persistent(String clientId) {
        return node.connect(new Connect(clientId).persistent(600).packet());
    }

    private List<ReasonCode> pubAcks() {
        return publisher.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    @Test
    void aMessageThatMustBeStoredIsRefusedUntilThereIsRoomAgain() {
        TestClient subscriber = persistent("s").subscribe(QoS.EXACTLY_ONCE, "t");
        free(50);

        publisher.publish("t", "one", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("t", "two", QoS.EXACTLY_ONCE, 2);

        assertThat(pubAcks()).containsExactly(ReasonCode.QUOTA_EXCEEDED);
        assertThat(publisher.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
        assertThat(subscriber.payloads()).isEmpty();
        assertThat(node.dropped("publish_refused_storage")).isEqualTo(2);

        free(200);
        publisher.publish("t", "three", QoS.AT_LEAST_ONCE, 3);

        assertThat(pubAcks()).last().isEqualTo(ReasonCode.SUCCESS);
        assertThat(subscriber.payloads()).containsExactly("three");
    }

    @Test
    void theMarkerOfAQosTwoMessageNeedsRoom() {
        TestClient exact = persistent("exact");
        free(50);

        exact.publish("nobody", "x", QoS.EXACTLY_ONCE, 1);

        assertThat(exact.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
    }

    @Test
    void anMqtt3ClientIsDisconnectedBecauseItCannotBeRefusedOtherwise() {
        persistent("s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        free(50);

        old.sendForbidden(
                TestClient.packet("t", "x", QoS.AT_LEAST_ONCE, 1, false, PublishProperties.NONE),
                ReasonCode.QUOTA_EXCEEDED);
    }

    @Test
    void messagesThatNeedNoStorageAreDelivered() {
        TestClient atMostOnce = persistent("stored").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient connected = node.connect("connected").subscribe(QoS.AT_LEAST_ONCE, "u");
        free(50);

        publisher.publish("t", "zero");
        publisher.publish("u", "one", QoS.AT_LEAST_ONCE, 1);

        assertThat(atMostOnce.payloads()).containsExactly("zero");
        assertThat(connected.payloads()).containsExactly("one");
        assertThat(pubAcks()).containsExactly(ReasonCode.SUCCESS);
        assertThat(node.dropped("publish_refused_storage")).isZero();
    }

    @Test
    void aMessageAtQos0IsDeliveredAndNotRetained() {
        TestClient live = node.connect("live").subscribe(QoS.AT_MOST_ONCE, "t");
        publisher.retain("t", "before");
        free(50);

        publisher.retain("t", "now");

        assertThat(live.payloads()).containsExactly("before", "now");
        assertThat(node.connect("late").subscribe(QoS.AT_MOST_ONCE, "t").payloads())
                .containsExactly("before");
        assertThat(node.count("heddle.retained.refused", "reason", "storage")).isOne();
    }
}
