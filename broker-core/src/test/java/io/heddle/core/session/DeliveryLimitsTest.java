package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.PubAckPacket;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Subscribers above the limits of the rules are sent messages more slowly. */
final class DeliveryLimitsTest {
    private final SessionSettings settings = RulesTest.settings("default allow");
    private final ActiveRules active = settings.topics().rules();
    private final TestNode node = new TestNode(settings, 1_000_000);
    private final TestClient publisher = node.connect("publisher");
    private final TestClient subscriber = node.connect("subscriber");
    private int version;

    private void rules(String... rules) {
        active.apply(++version, RulesTest.read(rules));
        node.runAll();
    }

    private void publish(QoS qos, int from, int to) {
        for (int i = from; i < to; i++) {
            publisher.publish("t", Integer.toString(i), qos, 1);
        }
        node.runAll();
    }

    private void acknowledgeAll(TestClient client) {
        client.messages().forEach(message -> client.pubAck(message.packetId()));
        node.runAll();
    }

    private void advance(long millis) {
        node.advance(Duration.ofMillis(millis));
        node.runAll();
    }

    private double refusals(String setting) {
        return node.count("heddle.limits.refusals", "setting", setting);
    }

    private static String[] numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toArray(String[]::new);
    }

    @Test
    void messagesAboveTheRateWaitAndKeepTheirOrder() {
        rules("default allow", "limit messages-out 2/s for client subscriber");
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, 0, 6);
        assertThat(subscriber.payloads())
                .as("a second's messages, and one more")
                .containsExactly(numbers(0, 3));
        acknowledgeAll(subscriber);
        assertThat(subscriber.payloads()).hasSize(3);

        advance(499);
        assertThat(subscriber.payloads()).hasSize(3);
        advance(1);
        assertThat(subscriber.payloads()).hasSize(4);
        advance(500);
        advance(500);

        assertThat(subscriber.payloads()).containsExactly(numbers(0, 6));
        assertThat(refusals("limit messages-out of the rules")).isEqualTo(4);
        assertThat(node.dropped("rate_limited")).isZero();
    }

    @Test
    void messagesOfQos0AboveTheRateAreDropped() {
        rules("default allow", "limit messages-out 2/s for client subscriber");
        subscriber.subscribe(QoS.AT_MOST_ONCE, "t");
        publish(QoS.AT_MOST_ONCE, 0, 6);
        advance(500);
        publish(QoS.AT_MOST_ONCE, 6, 8);

        assertThat(subscriber.payloads()).containsExactly("0", "1", "2", "6");
        assertThat(node.dropped("rate_limited")).isEqualTo(4);
    }

    @Test
    void topicAndPayloadCountAsBytes() {
        rules("default allow", "limit bytes-out 4/s for everyone");
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, 0, 4);
        assertThat(subscriber.payloads()).hasSize(3);
        assertThat(refusals("limit bytes-out of the rules")).isOne();

        advance(500);
        assertThat(subscriber.payloads()).hasSize(4);
    }

    @Test
    void aPersistentSessionKeepsWhatWaits() {
        TestClient persistent = node.connect(new Connect("p").persistent(60).packet());
        persistent.subscribe(QoS.AT_LEAST_ONCE, "t");
        rules("default allow", "limit messages-out 1/s for client p");
        publish(QoS.AT_LEAST_ONCE, 0, 4);
        assertThat(persistent.payloads()).containsExactly("0", "1");
        acknowledgeAll(persistent);
        persistent.lose();
        advance(60_000 / 2);

        TestClient back = node.connect(new Connect("p").persistent(60).packet());
        node.runAll();

        assertThat(back.payloads()).containsExactly("2", "3");
    }

    @Test
    void retainedMessagesOfQos0WaitInsteadOfBeingDropped() {
        for (int i = 0; i < 4; i++) {
            publisher.retain("r/" + i, Integer.toString(i));
        }
        rules("default allow", "limit messages-out 1/s for everyone");
        subscriber.subscribe(QoS.AT_MOST_ONCE, "r/#");
        node.runAll();
        assertThat(subscriber.payloads()).hasSize(2);

        advance(1_000);
        advance(1_000);

        assertThat(subscriber.payloads()).containsExactlyInAnyOrder(numbers(0, 4));
        assertThat(node.dropped("rate_limited")).isZero();
    }

    @Test
    void otherMembersOfAGroupTakeTheMessages() {
        rules("default allow", "limit messages-out 1/s for client subscriber");
        TestClient other = node.connect("other").subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");
        for (int i = 0; i < 10; i++) {
            publish(QoS.AT_LEAST_ONCE, i, i + 1);
            if (!other.messages().isEmpty()) {
                other.pubAck(other.messages().getLast().packetId());
            }
        }

        assertThat(subscriber.payloads()).hasSize(2);
        assertThat(other.payloads()).hasSize(8);
    }

    @Test
    void aChangedLimitEndsThePause() {
        rules("default allow", "limit messages-out 1/s for everyone");
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, 0, 4);
        assertThat(subscriber.payloads()).hasSize(2);

        rules("default allow", "limit messages-out none for everyone");

        assertThat(subscriber.payloads()).hasSize(4);
    }

    @Test
    void otherClientsAndAcknowledgementsHaveNoLimit() {
        rules("default allow", "limit messages-out 1/s for client publisher");
        subscriber.subscribe(QoS.AT_MOST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, 0, 100);

        assertThat(subscriber.payloads()).hasSize(100);
        assertThat(publisher.connection().sent(PubAckPacket.class)).hasSize(100);
    }

    @Test
    void theTimerOfAPauseEndsWithTheConnection() {
        rules("default allow", "limit messages-out 1/s for everyone");
        subscriber.subscribe(QoS.AT_LEAST_ONCE, "t");
        // Otherwise a timer would wait to tell the other nodes that this one has no subscriber any more.
        node.connect("other").subscribe(QoS.AT_LEAST_ONCE, "t");
        node.advance(TestNode.REPORTED);
        publish(QoS.AT_LEAST_ONCE, 0, 2);
        int before = node.loop.timers() + node.otherLoop.timers();

        subscriber.lose();
        node.advance(TestNode.REPORTED);

        assertThat(node.loop.timers() + node.otherLoop.timers()).isLessThan(before);
    }
}
