package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

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

    /** A client that is sent one message and acknowledges nothing. */
    private TestClient slow() {
        TestClient slow =
                node.connect(new Connect("c").receiveMaximum(1).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish("in flight", 0);
        return slow;
    }

    @Test
    void expiredMessagesOfASlowClientReleaseTheirMemory() {
        TestClient slow = slow();
        long before = node.memory.chargedBytes();
        publish("stays", 0);
        long each = node.memory.chargedBytes() - before;
        publish("short", 10);
        publish("stays too", 0);
        publish("longer", 60);

        node.advance(Duration.ofSeconds(16));
        assertThat(node.dropped("expired")).isOne();
        assertThat(node.gauge("heddle.messages.queued")).isEqualTo(3);
        node.advance(Duration.ofSeconds(50));

        assertThat(node.dropped("expired")).isEqualTo(2);
        assertThat(node.memory.chargedBytes() - before).isBetween(each + 1, 3 * each);
        for (int i = 0; i < 3; i++) {
            slow.pubAck(slow.messages().getLast().packetId());
        }
        assertThat(slow.payloads()).containsExactly("in flight", "stays", "stays too");
    }

    @Test
    void aQueueWithoutExpiringMessagesHasNoTimer() {
        TestClient slow = slow();
        node.advance(TestNode.REPORTED);
        int timers = node.loop.timers();
        publish("stays", 0);
        assertThat(node.loop.timers()).isEqualTo(timers);
        publish("short", 10);
        publish("short", 20);
        assertThat(node.loop.timers()).isEqualTo(timers + 1);

        slow.lose();

        // Other nodes are told after a while that the node has no subscriber any more.
        node.advance(Duration.ofSeconds(5));
        assertThat(node.loop.timers()).isZero();
    }

    @Test
    void expiredMessagesOfAnAbsentClientAreCountedAndNotSent() {
        Connect connect = new Connect("c").persistent(3_600);
        node.connect(connect.packet()).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("stays", 0);
        publish("short", 10);
        publish("longer", 60);
        node.advance(Duration.ofSeconds(20));

        TestClient back = node.connect(connect.packet());

        assertThat(back.payloads()).containsExactly("stays", "longer");
        assertThat(back.messages().getLast().properties().messageExpirySeconds())
                .isEqualTo(40);
        assertThat(node.dropped("expired")).isOne();
    }
}
