package io.heddle.core.session.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestStores;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Acknowledgements of messages whose bucket lags, and publishes to such a bucket. */
final class LaggingBucketAcksTest {
    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    TopicRules.STANDARD,
                    3,
                    5,
                    3_600,
                    3_600,
                    0,
                    4,
                    4,
                    2,
                    TestNode.QUEUE,
                    50,
                    20_000,
                    TestNode.PATIENCE),
            1_000_000);
    private final TestClient publisher = node.connect("publisher");

    LaggingBucketAcksTest() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.EXACTLY_ONCE, "t")
                .lose();
    }

    private static List<Integer> pubAcks(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::packetId)
                .toList();
    }

    @Test
    void aLaggingBucketDelaysTheAcknowledgementsOfItsPublishersOnly() {
        node.applying(false);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        assertThat(pubAcks(publisher)).as("it does not lag yet").containsExactly(1);
        node.advance(Duration.ofMillis(51));

        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        publisher.publish("t", "c", QoS.AT_LEAST_ONCE, 3);
        TestClient other = node.connect("other");
        other.publish("nobody", "d", QoS.AT_LEAST_ONCE, 1);

        assertThat(pubAcks(publisher)).containsExactly(1);
        assertThat(pubAcks(other)).containsExactly(1);
        assertThat(node.gauge("heddle.buckets.lag.publishers")).isOne();
        assertThat(node.count("heddle.publishes.delayed")).isEqualTo(2);
        node.applying(true);
        assertThat(pubAcks(publisher)).containsExactly(1, 2, 3);
        assertThat(node.gauge("heddle.buckets.lag.publishers")).isZero();
    }

    @Test
    void aBucketThatIsReleasedDelaysNoAcknowledgement() {
        node.applying(false);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        node.advance(Duration.ofMillis(51));
        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        assertThat(pubAcks(publisher)).containsExactly(1);

        new Buckets(TestStores.BUCKETS).all().forEach(node.positions::release);
        node.runAll();

        assertThat(pubAcks(publisher)).containsExactly(1, 2);
        publisher.publish("t", "c", QoS.AT_LEAST_ONCE, 3);
        assertThat(pubAcks(publisher)).containsExactly(1, 2, 3);
    }

    @Test
    void aPublisherWithALargeWindowIsNotReadWhileTheBucketLags() {
        TestNode patient = new TestNode(
                new SessionSettings(
                        65_536,
                        8,
                        TopicRules.STANDARD,
                        3,
                        5,
                        3_600,
                        3_600,
                        0,
                        1_000,
                        4,
                        2,
                        TestNode.QUEUE,
                        50,
                        20_000,
                        TestNode.PATIENCE),
                1_000_000);
        TestClient client = patient.connect("publisher");
        patient.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        patient.applying(false);
        client.publish("t", "m", QoS.AT_LEAST_ONCE, 1);
        patient.advance(Duration.ofMillis(51));

        for (int packetId = 2; packetId <= 64; packetId++) {
            client.publish("t", "m", QoS.AT_LEAST_ONCE, packetId);
        }
        assertThat(client.connection().isReading()).isTrue();
        client.publish("t", "m", QoS.AT_LEAST_ONCE, 65);
        assertThat(client.connection().isReading()).isFalse();
        patient.applying(true);

        assertThat(client.connection().isReading()).isTrue();
        assertThat(pubAcks(client)).hasSize(65);
    }

    @Test
    void aBucketThatLagsTooFarRefusesPublishes() {
        node.applying(false);
        String large = "x".repeat(9_000);
        for (int packetId = 1; packetId <= 3; packetId++) {
            publisher.publish("t", large, QoS.AT_LEAST_ONCE, packetId);
        }
        assertThat(pubAcks(publisher)).as("the second is above the bound").containsExactly(1);
        TestClient other = node.connect("other");

        other.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        other.publish("nobody", "b", QoS.AT_LEAST_ONCE, 2);

        assertThat(other.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED, ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(node.dropped("publish_refused_lagging")).isOne();
        node.applying(true);
        assertThat(pubAcks(publisher)).containsExactly(1, 2, 3);
        other.publish("t", "c", QoS.AT_LEAST_ONCE, 3);
        assertThat(other.connection().sent(PubAckPacket.class).getLast().reason())
                .isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aDisconnectedPublisherStopsWaitingForBuckets() {
        node.applying(false);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        node.advance(Duration.ofMillis(51));
        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        assertThat(node.gauge("heddle.buckets.lag.publishers")).isOne();

        publisher.lose();

        assertThat(node.gauge("heddle.buckets.lag.publishers")).isZero();
    }
}
