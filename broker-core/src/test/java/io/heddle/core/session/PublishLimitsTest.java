package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Publishers above the limits of the rules are read more slowly. */
final class PublishLimitsTest {
    private final SessionSettings settings = RulesTest.settings("default allow");
    private final ActiveRules active = settings.topics().rules();
    private final TestNode node = new TestNode(settings, 1_000_000);
    private final TestClient publisher = node.connect("publisher");
    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t");
    private int version;

    private void rules(String... rules) {
        active.apply(++version, RulesTest.read(rules));
        node.runAll();
    }

    private boolean isRead() {
        return publisher.connection().isReading();
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            publisher.publish("t", "0123456789");
        }
    }

    private void advance(Duration duration) {
        node.advance(duration);
        node.runAll();
    }

    private double pauses() {
        return node.metrics.counter("heddle.publishers.paused").count();
    }

    @Test
    void aPublisherAboveItsMessageRateIsNotReadUntilItIsBelow() {
        rules("default allow", "limit messages 10/s for client publisher");
        publish(10);
        assertThat(isRead()).as("the messages of a second at once").isTrue();
        publish(1);
        assertThat(isRead()).isFalse();

        advance(Duration.ofMillis(99));
        assertThat(isRead()).isFalse();
        advance(Duration.ofMillis(1));
        assertThat(isRead()).isTrue();

        publish(1);
        assertThat(isRead()).isFalse();
        advance(Duration.ofMillis(100));
        assertThat(isRead()).isTrue();
        assertThat(pauses()).isEqualTo(2);
        assertThat(subscriber.payloads()).as("nothing is dropped").hasSize(12);
        assertThat(node.metrics
                        .counter("heddle.limits.refusals", "setting", "limit messages of the rules")
                        .count())
                .isEqualTo(2);
    }

    @Test
    void topicAndPayloadCountAsBytes() {
        rules("default allow", "limit bytes 22/s for everyone");
        publish(2);
        assertThat(isRead()).isTrue();
        publish(1);
        assertThat(isRead()).isFalse();
        advance(Duration.ofMillis(499));
        assertThat(isRead()).isFalse();
        advance(Duration.ofMillis(2));
        assertThat(isRead()).isTrue();
    }

    @Test
    void aPauseIsBounded() {
        rules("default allow", "limit bytes 1/s for everyone");
        publisher.publish("t", "x".repeat(100));
        assertThat(isRead()).isFalse();
        advance(Duration.ofSeconds(59));
        assertThat(isRead()).isFalse();
        advance(Duration.ofSeconds(1));
        assertThat(isRead()).isTrue();
        publish(1);
        assertThat(isRead()).isFalse();
    }

    @Test
    void aChangedLimitHoldsForTheNextMessage() {
        rules("default allow", "limit messages 1/s for everyone");
        publish(2);
        assertThat(isRead()).isFalse();
        advance(Duration.ofSeconds(1));

        rules("default allow", "limit messages none for everyone");
        publish(1_000);

        assertThat(isRead()).isTrue();
        assertThat(pauses()).isEqualTo(1);
    }

    @Test
    void otherClientsHaveNoLimit() {
        rules("default allow", "limit messages 1/s for client subscriber");
        publish(1_000);

        assertThat(isRead()).isTrue();
    }

    @Test
    void aDebtDoesNotOutliveAChangeOfTheLimit() {
        rules("default allow", "limit bytes 1/s for everyone");
        publisher.publish("t", "x".repeat(10_000));
        advance(Duration.ofSeconds(60));

        rules("default allow", "limit bytes 1MB/s for everyone");
        publish(100);

        assertThat(isRead()).isTrue();
        assertThat(pauses()).isEqualTo(1);
    }

    @Test
    void propertiesCountAsBytes() {
        rules("default allow", "limit bytes 10KB/s for everyone");
        PublishProperties properties = new PublishProperties(
                PublishProperties.NO_EXPIRY,
                null,
                null,
                null,
                null,
                List.of(new UserProperty("key", "x".repeat(20_000))));
        publisher.send(TestClient.packet("t", "", QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID, false, properties));

        assertThat(isRead()).isFalse();
    }

    @Test
    void aClientThatHasGoneIsNotSlowedDown() {
        rules("default allow", "limit messages 1/s for everyone");
        publish(2);
        assertThat(isRead()).isFalse();
        publisher.connection().loseWithPackets();

        TestClient next = node.begin(node.loop, new Connect("publisher").packet());
        node.runAll();
        assertThat(next.established()).isEmpty();
        assertThat(isRead())
                .as("the next connection waits for the packets of this one")
                .isTrue();
        publish(100);
        publisher.disconnect();

        assertThat(isRead()).isTrue();
        assertThat(subscriber.payloads()).hasSize(102);
        assertThat(next.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(node.count("heddle.sessions.taken.over")).isZero();
    }

    @Test
    void anotherConnectionGoesOnWhereTheLastOneHasEnded() {
        rules("default allow", "limit messages 10/s for client again");
        TestClient again = node.connect("again");
        for (int i = 0; i < 10; i++) {
            again.publish("t", "x");
        }
        again.disconnect();
        TestClient next = node.connect("again");
        assertThat(next.connection().isReading()).as("nothing is owed").isTrue();
        next.publish("t", "x");
        assertThat(next.connection().isReading())
                .as("the messages of a second are used")
                .isFalse();
        next.lose();
        TestClient third = node.connect("again");
        assertThat(third.connection().isReading())
                .as("not even one message is free")
                .isFalse();
        third.lose();

        advance(Duration.ofMillis(1_100));
        TestClient later = node.connect("again");
        for (int i = 0; i < 10; i++) {
            later.publish("t", "x");
        }
        assertThat(later.connection().isReading()).as("a second later").isTrue();
    }

    @Test
    void theDebtOfAClientIsNotThatOfAnother() {
        rules("default allow", "limit bytes 1KB/s for everyone");
        TestClient first = node.connect("first");
        first.publish("t", "x".repeat(1_000_000));
        first.disconnect();

        publisher.publish("t", "x");
        assertThat(isRead()).isTrue();
        TestClient next = node.connect("first");
        assertThat(next.connection().isReading()).isFalse();
        advance(Duration.ofSeconds(60));
        assertThat(next.connection().isReading())
                .as("a debt of more than a minute is forgiven")
                .isTrue();
    }

    @Test
    void theTimerOfAPauseEndsWithTheConnection() {
        rules("default allow", "limit messages 1/s for everyone");
        publish(2);
        int before = node.loop.timers() + node.otherLoop.timers();

        publisher.lose();

        assertThat(node.loop.timers() + node.otherLoop.timers()).isLessThan(before);
    }
}
