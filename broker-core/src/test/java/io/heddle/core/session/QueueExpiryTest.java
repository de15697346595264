package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages that expire while they wait for a client. */
final class QueueExpiryTest {
    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");

    private void publish(String payload, int seconds) {
        publisher.send(TestClient.packet(
                "t",
                payload,
                QoS.AT_LEAST_ONCE,
                1,
                false,
                seconds == 0 ? PublishProperties.NONE : PublishProperties.NONE.withMessageExpirySeconds(seconds)));
    }

    private TestClient connect() {
        return node.connect(new Connect("c").persistent(3_600).packet());
    }

    @Test
    void whatExpiresInAnAbsentClientsQueueGivesItsMemoryBackSoonAfter() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("stays", 0);
        long kept = node.memory.takenBytes();
        publish("short", 10);
        publish("stays too", 0);
        publish("longer", 60);

        node.advance(Duration.ofSeconds(16));
        assertThat(node.dropped("expired")).isOne();
        assertThat(node.gauge("heddle.messages.queued")).isEqualTo(3);
        node.advance(Duration.ofSeconds(50));

        assertThat(node.dropped("expired")).isEqualTo(2);
        assertThat(node.memory.takenBytes()).isBetween(kept + 1, 2 * kept);
        assertThat(connect().payloads()).containsExactly("stays", "stays too");
    }

    @Test
    void itDoesSoOnTheEventLoopThatTheSessionMovedTo() {
        TestClient first = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        first.lose();
        publish("short", 10);
        TestClient slow = node.connect(
                node.otherLoop,
                new Connect("c").persistent(3_600).receiveMaximum(1).packet());
        publish("waits", 10);
        node.runAll();
        slow.lose();

        node.advance(Duration.ofSeconds(16));
        assertThat(node.dropped("expired")).isZero();
        node.otherLoop.advance(Duration.ofSeconds(16));

        assertThat(node.dropped("expired")).isOne();
        assertThat(node.gauge("heddle.messages.queued")).isZero();
    }

    @Test
    void aQueueInWhichNothingCanExpireHasNoTimerNorHasAnEndedSession() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        int timers = node.loop.timers();
        publish("stays", 0);
        assertThat(node.loop.timers()).isEqualTo(timers);
        publish("short", 10);
        publish("short", 20);
        assertThat(node.loop.timers()).isEqualTo(timers + 1);

        node.connect(new Connect("c").packet());

        assertThat(node.sessions.find(new ClientId("c"))).isNotNull();
        assertThat(node.loop.timers()).isZero();
    }
}
