package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.subscription.SubscriptionLimits;
import io.micrometer.core.instrument.Counter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each limit that refuses a client something is named in the log: {@link io.heddle.core.client.ClientIncidents} counts it by its setting. */
final class RefusalsTest {
    private final TestNode node = new TestNode();

    private double refusals(String setting) {
        Counter counter = node.metrics
                .find("heddle.limits.refusals")
                .tag("setting", setting)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private static void assertExceeds(TestClient client, MqttPacket packet, Limit limit) {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> client.send(packet))
                .returns(limit, ProtocolException::limit);
    }

    private static String[] filters(int count) {
        return IntStream.range(0, count).mapToObj(i -> "t" + i).toArray(String[]::new);
    }

    @Test
    void subscriptionsOfAClient() {
        node.connect("c").subscribe(QoS.AT_MOST_ONCE, filters(4));
        node.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_MOST_ONCE, filters(5));

        assertThat(refusals("heddle.session.maximum-subscriptions")).isEqualTo(3);
    }

    @Test
    void filtersOfAPacket() {
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, filters(1_001));

        assertThat(client.subscribed()).containsOnly(ReasonCode.QUOTA_EXCEEDED).hasSize(1_001);
        assertThat(refusals("heddle.session.maximum-subscriptions")).isOne();
    }

    @Test
    void levelsOfAFilter() {
        node.connect("c").subscribe(QoS.AT_MOST_ONCE, "1/2/3/4/5/6/7/8/9");
        node.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_MOST_ONCE, "1/2/3/4/5/6/7/8/9");

        assertThat(refusals("heddle.mqtt.maximum-topic-levels")).isEqualTo(2);
    }

    @Test
    void wildcardPatterns() {
        node.connect("a").subscribe(QoS.AT_MOST_ONCE, "+", "a/+", "a/a/+");
        node.connect("b").subscribe(QoS.AT_MOST_ONCE, "a/a/a/+", "a/a/a/a/+", "a/a/a/a/a/+");

        assertThat(refusals("heddle.subscription.maximum-wildcard-patterns")).isOne();
    }

    @Test
    void membersOfASharedSubscription() {
        TestNode small = node.restarted(1_000_000, new SubscriptionLimits(5, 5, 0, 1), TestNode.RETAINED_LIMITS);
        small.connect("a").subscribe(QoS.AT_MOST_ONCE, "$share/g/t");
        small.connect("b").subscribe(QoS.AT_MOST_ONCE, "$share/g/t");

        assertThat(small.count("heddle.limits.refusals", "setting", "heddle.subscription.maximum-group-members"))
                .isOne();
    }

    @Test
    void memoryOfSubscriptions() {
        TestNode small = new TestNode(TestNode.SETTINGS, 4_000);
        small.connect("a").subscribe(QoS.AT_MOST_ONCE, "t".repeat(2_000));
        small.connect(new Connect("b").persistent(60).packet()).subscribe(QoS.AT_MOST_ONCE, "t".repeat(2_000));

        assertThat(small.count("heddle.limits.refusals", "setting", "heddle.session.memory-limit"))
                .isOne();
        assertThat(small.count("heddle.limits.refusals", "setting", "three quarters of heddle.session.memory-limit"))
                .isOne();
    }

    @Test
    void sessions() {
        for (int i = 0; i < 6; i++) {
            node.connect("c" + i);
        }

        assertThat(refusals("heddle.session.maximum-sessions")).isOne();
    }

    @Test
    void theOnlyClientOfANodeFullOfStoredSessionsIsAccepted() {
        for (int i = 0; i < TestNode.SETTINGS.maximumSessions(); i++) {
            node.connect(new Connect("c" + i).persistent(60).packet()).lose();
        }

        assertThat(node.connect("first").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(node.connect("second").connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(refusals("heddle.session.maximum-sessions")).isOne();
    }

    @Test
    void messagesInAQueue() {
        TestClient slow =
                node.connect(new Connect("slow").receiveMaximum(1).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = node.connect("publisher");

        for (int i = 1; i <= 6; i++) {
            publisher.publish("t", "m", QoS.AT_LEAST_ONCE, i);
        }

        assertThat(slow.messages()).hasSize(1);
        assertThat(node.dropped("queue_full")).isOne();
        assertThat(refusals("heddle.session.maximum-queued-messages")).isOne();
    }

    @Test
    void messagesInAStoredQueue() {
        TestClient away =
                node.connect(new Connect("away").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        away.lose();
        TestClient publisher = node.connect("publisher");

        for (int i = 1; i <= 5; i++) {
            publisher.publish("t", "m", QoS.AT_LEAST_ONCE, i);
        }

        assertThat(node.dropped("queue_full")).isOne();
        assertThat(refusals("heddle.session.maximum-queued-messages or -bytes")).isOne();
    }

    @Test
    void retainedMessages() {
        node.connect("c").retain("t", "x".repeat(100_001));

        assertThat(refusals("heddle.retained.maximum-payload")).isOne();
    }

    @Test
    void storage() {
        node.freeBytes = 99;
        node.storage.measureFreeBytes();
        node.storage.judge(0, 0);
        TestClient client = node.connect("c");

        client.retain("t", "x");
        client.send(TestClient.packet("t", "x", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));

        assertThat(refusals("heddle.standalone.minimum-free")).isEqualTo(2);
    }

    @Test
    void messagesInFlight() {
        node.connect("s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = node.connect("c");
        for (int i = 1; i <= 100; i++) {
            publisher.publish("t", "x", QoS.EXACTLY_ONCE, i);
        }

        assertExceeds(
                publisher,
                TestClient.packet("t", "x", QoS.EXACTLY_ONCE, 101, false, PublishProperties.NONE),
                new Limit("heddle.session.receive-maximum", 100));
    }

    @Test
    void topicAliases() {
        PublishPacket plain = TestClient.packet("t", "x", QoS.AT_MOST_ONCE, 0, false, PublishProperties.NONE);
        PublishPacket aliased = new PublishPacket(
                plain.topic(),
                3,
                plain.qos(),
                plain.retain(),
                false,
                plain.packetId(),
                plain.properties(),
                plain.subscriptionIdentifiers(),
                plain.payload());

        assertExceeds(node.connect("c"), aliased, new Limit("heddle.session.topic-alias-maximum", 2));
    }
}
