package io.heddle.core.session.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Acknowledgements of a node whose routing lease has ended, since it may have been declared dead without knowing. */
final class RoutingLeaseHoldTest {
    private final TestNode node = new TestNode();
    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.EXACTLY_ONCE, "t");
    private final TestClient publisher = node.connect("publisher");

    @BeforeEach
    void endTheLease() {
        node.leaseNanos += TestNode.LEASE.toNanos();
    }

    private void renew() {
        node.lease.renew(node.leaseNanos);
        node.runAll();
    }

    private static List<Integer> pubAcks(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::packetId)
                .toList();
    }

    private static List<Integer> pubRecs(TestClient client) {
        return client.connection().sent(PubRecPacket.class).stream()
                .map(PubRecPacket::packetId)
                .toList();
    }

    @Test
    void messagesAreDeliveredAndAcknowledgedWhenTheLeaseIsRenewed() {
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("nobody", "b", QoS.AT_LEAST_ONCE, 2);
        publisher.publish("t", "c", QoS.EXACTLY_ONCE, 3);
        assertThat(subscriber.payloads()).containsExactly("a", "c");
        assertThat(pubAcks(publisher)).isEmpty();
        assertThat(pubRecs(publisher)).isEmpty();
        assertThat(node.gauge("heddle.cluster.lease.publishers")).isOne();

        renew();
        assertThat(pubAcks(publisher)).containsExactly(1, 2);
        assertThat(pubRecs(publisher)).containsExactly(3);
        assertThat(node.gauge("heddle.cluster.lease.publishers")).isZero();
        publisher.publish("t", "d", QoS.AT_LEAST_ONCE, 4);
        assertThat(pubAcks(publisher)).containsExactly(1, 2, 4);
    }

    @Test
    void durableMessagesWaitForTheLease() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "stored")
                .lose();
        node.log.hold(100);
        publisher.publish("stored", "a", QoS.AT_LEAST_ONCE, 1);
        node.log.release();
        node.runAll();
        assertThat(pubAcks(publisher)).isEmpty();

        renew();
        assertThat(pubAcks(publisher)).containsExactly(1);
    }

    @Test
    void aMessageThatCannotBeStoredEndsTheConnectionWithoutALease() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "stored")
                .lose();
        node.log.failWith(new IllegalStateException("the log is gone"));
        publisher.publish("stored", "a", QoS.AT_LEAST_ONCE, 1);

        assertThat(publisher.disconnected()).containsExactly(ReasonCode.UNSPECIFIED_ERROR);
        assertThat(pubAcks(publisher)).isEmpty();
    }

    @Test
    void aClientThatKeepsPublishingIsNotReadUntilTheLeaseIsRenewed() {
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        int published = 0;
        while (old.connection().isReading()) {
            assertThat(published).isLessThan(100);
            old.publish("nobody", "m", QoS.AT_LEAST_ONCE, ++published);
        }
        assertThat(pubAcks(old)).isEmpty();

        renew();
        assertThat(pubAcks(old)).hasSize(published);
        assertThat(old.connection().isReading()).isTrue();
    }

    @Test
    void aLostConnectionWaitsNoMore() {
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.lose();

        assertThat(node.gauge("heddle.cluster.lease.publishers")).isZero();
    }

    @Test
    void messagesOfQoS0NeedNoLease() {
        publisher.publish("t", "a");

        assertThat(subscriber.payloads()).containsExactly("a");
        assertThat(node.gauge("heddle.cluster.lease.publishers")).isZero();
    }
}
