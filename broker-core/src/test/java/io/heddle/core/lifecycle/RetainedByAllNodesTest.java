package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retained messages where all nodes serve. */
class RetainedByAllNodesTest {
    private static final int ALL = 1_000;

    private final HoldingCluster cluster = new HoldingCluster();
    private final HoldingNode a = cluster.start();
    private final HoldingNode b = cluster.start();

    private static void retain(TestClient publisher, String topic, String payload, long expirySeconds) {
        publisher.send(TestClient.packet(
                topic,
                payload,
                QoS.AT_LEAST_ONCE,
                1,
                true,
                PublishProperties.NONE.withMessageExpirySeconds(expirySeconds)));
    }

    private static void retain(TestClient publisher, String topic, String payload) {
        retain(publisher, topic, payload, PublishProperties.NO_EXPIRY);
    }

    private List<Change<TopicName, PublishMessage>> records() {
        return cluster.retainedLog.changes();
    }

    private void assertEqual() {
        assertThat(b.core.checksums().retained()).isEqualTo(a.core.checksums().retained());
    }

    @Conformance({"MQTT-3.3.1-5", "MQTT-3.3.1-6"})
    @Test
    void theLastMessageOfATopicIsThatOfAllNodes() {
        TestClient ofA = a.connect(new Connect("a"));
        TestClient ofB = b.connect(new Connect("b"));
        retain(ofA, "t/1", "1");
        retain(ofB, "t/1", "2");
        retain(ofB, "t/2", "3");
        retain(ofA, "t/2", "");
        retain(ofA, "t/3", "4");

        assertThat(a.connect(new Connect("s"))
                        .subscribe(QoS.AT_LEAST_ONCE, "t/#")
                        .payloads())
                .containsExactly("2", "4");
        assertThat(b.connect(new Connect("u"))
                        .subscribe(QoS.AT_LEAST_ONCE, "t/#")
                        .payloads())
                .containsExactly("2", "4");
        assertEqual();
        retain(ofA, "t/1", "5");
        assertEqual();
    }

    @Test
    void subAckWaitsForTheLogAndPrecedesTheRetainedMessages() {
        retain(a.connect(new Connect("p")), "t", "1");
        cluster.retainedLog.holdEnds();
        TestClient subscriber = b.connect(new Connect("s")).subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient persistent = b.connect(new Connect("u").persistent(100)).subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(persistent.connection().sent(SubAckPacket.class)).isEmpty();

        cluster.retainedLog.releaseEnds();
        cluster.run();

        for (TestClient each : List.of(subscriber, persistent)) {
            assertThat(each.connection().sent().get(1)).isInstanceOf(SubAckPacket.class);
            assertThat(each.payloads()).containsExactly("1");
        }
    }

    @Test
    void subAckOfSubscriptionsWithoutRetainedMessagesDoesNotWait() {
        cluster.retainedLog.holdEnds();
        SubscriptionRequest request =
                new SubscriptionRequest("t", QoS.AT_LEAST_ONCE, false, false, RetainHandling.DO_NOT_SEND);
        TestClient subscriber = b.connect(new Connect("s")).subscribe(request);
        TestClient persistent = b.connect(new Connect("u").persistent(100)).subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");

        assertThat(subscriber.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(persistent.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
    }

    @Test
    void subAckWaitsTwoSecondsForALogThatIsAway() {
        retain(a.connect(new Connect("p")), "t", "1");
        cluster.retainedLog.holdEnds();
        TestClient first = b.connect(new Connect("s")).subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.advance(Duration.ofMillis(1_500));
        TestClient second = b.connect(new Connect("u")).subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.advance(Duration.ofMillis(499));
        assertThat(first.connection().sent(SubAckPacket.class)).isEmpty();

        cluster.advance(Duration.ofMillis(1));
        assertThat(first.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(second.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(first.messages()).isEmpty();

        cluster.retainedLog.releaseEnds();
        cluster.run();
        assertThat(second.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(first.payloads()).containsExactly("1");
        assertThat(second.payloads()).containsExactly("1");
        assertThat(b.loop.timers()).as("no limit is left").isZero();
    }

    @Test
    void theNextConnectionGetsTheMessagesForWhichTheLastOneWaited() {
        retain(a.connect(new Connect("p")), "t", "1");
        cluster.retainedLog.holdEnds();
        Connect persistent = new Connect("s").persistent(100);
        TestClient first = b.connect(persistent).subscribe(QoS.AT_MOST_ONCE, "t");
        first.lose();
        cluster.run();
        TestClient second = b.connect(persistent);

        cluster.retainedLog.releaseEnds();
        cluster.run();

        assertThat(first.messages()).isEmpty();
        assertThat(second.payloads()).containsExactly("1");
    }

    @Test
    void anUnsubscribedFilterGetsNothingAfterTheWait() {
        retain(a.connect(new Connect("p")), "t", "1");
        retain(a.connect(new Connect("p")), "u", "2");
        cluster.retainedLog.holdEnds();
        TestClient subscriber = b.connect(new Connect("s")).subscribe(QoS.AT_MOST_ONCE, "t", "u");
        subscriber.send(new UnsubscribePacket(7, List.of(), List.of("t")));

        cluster.retainedLog.releaseEnds();
        cluster.run();

        assertThat(subscriber.payloads()).containsExactly("2");
    }

    @Test
    void oneNodeRemovesExpiredMessages() {
        retain(a.connect(new Connect("p")), "t", "1", 10);
        retain(b.connect(new Connect("q")), "u", "2", 10);
        cluster.advance(Duration.ofSeconds(10));
        assertThat(a.held().contains(0) ^ b.held().contains(0)).isTrue();
        HoldingNode steward = a.held().contains(0) ? a : b;
        HoldingNode other = steward == a ? b : a;

        other.core.expireRetained(ALL);
        assertThat(records()).hasSize(2);
        steward.core.expireRetained(ALL);

        assertThat(records().subList(2, records().size()))
                .hasSize(2)
                .allMatch(record -> record.condition() instanceof ChangeCondition.ExpiredBy);
        assertThat(other.core.checksums().retained()).isZero();
        assertEqual();
        steward.core.expireRetained(ALL);
        assertThat(records()).hasSize(4);
    }
}
