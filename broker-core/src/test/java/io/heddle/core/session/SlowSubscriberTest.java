package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** QoS 0 messages for clients that read slowly or not at all. */
class SlowSubscriberTest {
    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");
    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t");

    private void congest(boolean room) {
        subscriber.connection().writable(false);
        subscriber.connection().room(room);
        subscriber.connection().congested(true);
    }

    @Test
    void aBurstThatTheConnectionHasRoomForIsDelivered() {
        subscriber.connection().writable(false);
        subscriber.connection().room(true);

        publisher.publish("t", "x");

        assertThat(subscriber.payloads()).containsExactly("x");
        assertThat(node.dropped("slow_consumer")).isZero();
        assertThat(publisher.connection().isReading()).isTrue();
    }

    @Test
    void thePublisherIsPausedBeforeCopiesAreDropped() {
        congest(true);

        publisher.publish("t", "x");
        assertThat(publisher.connection().isReading()).isFalse();
        assertThat(subscriber.payloads()).containsExactly("x");

        subscriber.connection().writable(true);
        subscriber.connected().onWritable();
        node.runAll();

        assertThat(publisher.connection().isReading()).isTrue();
        assertThat(node.dropped("slow_consumer")).isZero();
    }

    @Test
    void aPublisherOnAnotherLoopIsSlowed() {
        TestClient far = node.connect(node.otherLoop, new Connect("far").packet());
        congest(true);

        far.publish("t", "x");

        assertThat(far.connection().isReading()).isFalse();
    }

    @Test
    void publishersPauseWhileAnEventLoopIsCongested() {
        node.connect(node.otherLoop, new Connect("far").packet()).subscribe(QoS.AT_MOST_ONCE, "far");
        TestClient flood = publisher.unsettled();
        node.otherLoop.leave();
        int published = 0;
        while (flood.connection().isReading()) {
            flood.publish("far", "x".repeat(1_000));
            published++;
        }
        assertThat(node.dropped("event_loop_overloaded")).isZero();

        node.loop.advance(Duration.ofSeconds(1));
        assertThat(flood.connection().isReading()).isFalse();
        node.runAll();
        node.loop.advance(Duration.ofMillis(5));

        assertThat(flood.connection().isReading()).isTrue();
        assertThat(node.count("heddle.messages.delivered")).isEqualTo(published);
    }

    @Test
    void aCongestedEventLoopPausesPublishersOnlyUntilTheTimeout() {
        node.connect(node.otherLoop, new Connect("far").packet()).subscribe(QoS.AT_MOST_ONCE, "far");
        TestClient flood = publisher.unsettled();
        node.otherLoop.leave();
        while (flood.connection().isReading()) {
            flood.publish("far", "x".repeat(1_000));
        }

        node.loop.advance(TestNode.PATIENCE);
        assertThat(flood.connection().isReading()).isTrue();
        flood.publish("far", "x");
        assertThat(flood.connection().isReading()).isTrue();

        node.loop.advance(TestNode.PATIENCE.multipliedBy(10));
        flood.publish("far", "x");
        assertThat(flood.connection().isReading()).isFalse();
    }

    @Test
    void publishersToOtherClientsAreNotSlowed() {
        TestClient other = node.connect("other");
        congest(true);

        publisher.publish("t", "x");
        other.publish("u", "x");

        assertThat(other.connection().isReading()).isTrue();
    }

    @Test
    void copiesForAStuckClientAreDroppedAndItsPublishersContinue() {
        congest(false);

        publisher.publish("t", "x");
        node.advance(TestNode.PATIENCE);
        publisher.publish("t", "y");

        assertThat(publisher.connection().isReading()).isTrue();
        assertThat(node.dropped("slow_consumer")).isEqualTo(2);
        assertThat(subscriber.payloads()).isEmpty();
    }

    @Test
    void aSubscriberThatDisconnectsResumesThePublisher() {
        congest(true);
        publisher.publish("t", "x");

        subscriber.lose();

        assertThat(publisher.connection().isReading()).isTrue();
    }

    @Test
    void aPausedClientIsExcusedFromKeepAlive() {
        TestClient alive = node.connect(new Connect("alive").keepAlive(1).packet());
        congest(true);
        alive.publish("t", "x");

        node.advance(TestNode.PATIENCE.minusMillis(1));
        assertThat(alive.connection().isOpen()).isTrue();
        node.advance(Duration.ofMillis(1));
        node.advance(Duration.ofMillis(1_499));
        assertThat(alive.connection().isOpen()).isTrue();

        node.advance(Duration.ofSeconds(2));
        assertThat(alive.disconnected()).containsExactly(ReasonCode.KEEP_ALIVE_TIMEOUT);
    }
}
