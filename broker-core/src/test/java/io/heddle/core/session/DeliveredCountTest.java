package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import org.junit.jupiter.api.Test;

/** Copies of QoS 0 messages are counted exactly once, for all recipients of an event loop together. */
final class DeliveredCountTest {
    private final TestNode node = new TestNode();

    private double delivered() {
        return node.count("heddle.messages.delivered");
    }

    @Test
    void deliveredCopiesAreCountedOnEveryEventLoopAndDroppedOnesAreNot() {
        node.connect("here").subscribe(QoS.AT_MOST_ONCE, "t");
        node.connect("too large").subscribe(QoS.AT_MOST_ONCE, "t").connection().refusePackets();
        node.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t").connection().writable(false);
        node.connect(node.otherLoop, new Connect("there").packet()).subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("publisher").unsettled();
        node.otherLoop.leave();

        publisher.publish("t", "x");
        assertThat(delivered()).isOne();
        node.runAll();

        assertThat(delivered()).isEqualTo(2);
        assertThat(node.dropped("packet_too_large")).isOne();
        assertThat(node.dropped("slow_consumer")).isOne();
    }

    @Test
    void retainedMessagesAreCounted() {
        TestClient publisher = node.connect("publisher");
        publisher.retain("t/1", "a");
        publisher.retain("t/2", "b");

        TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t/+");

        assertThat(subscriber.payloads()).containsExactly("a", "b");
        assertThat(delivered()).isEqualTo(2);
    }
}
