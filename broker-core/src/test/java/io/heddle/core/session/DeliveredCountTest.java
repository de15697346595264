package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies of QoS 0 are counted once for all recipients of an event loop, and not one too many or too few on any way. */
final class DeliveredCountTest {
    private final TestNode node = new TestNode();

    private double delivered() {
        return node.count("heddle.messages.delivered");
    }

    @Test
    void copiesOnEveryEventLoopAreCountedAndThoseThatWereDroppedAreNot() {
        node.connect("here").subscribe(QoS.AT_MOST_ONCE, "t");
        node.connect("too large").subscribe(QoS.AT_MOST_ONCE, "t").connection().refusePackets();
        node.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t").connection().writable(false);
        node.connect(node.otherLoop, new Connect("there").packet()).subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("publisher");
        node.otherLoop.leave();

        publisher.publish("t", "x");
        assertThat(delivered()).isOne();
        node.runAll();

        assertThat(delivered()).isEqualTo(2);
        assertThat(node.dropped("packet_too_large")).isOne();
        assertThat(node.dropped("slow_consumer")).isOne();
    }

    @Test
    void whatASessionOnTheMoveGetsLaterIsCountedToo() {
        node.connect(node.otherLoop, new Connect("c").persistent(60).packet())
                .subscribe(QoS.AT_MOST_ONCE, "t")
                .lose();
        TestClient publisher = node.connect("publisher");
        node.loop.leave();
        node.otherLoop.leave();
        List<TestClient> back = new ArrayList<>();
        node.loop.run(() -> publisher.publish("t", "passed on"));
        node.loop.run(() ->
                back.add(node.begin(node.loop, new Connect("c").persistent(60).packet())));
        node.loop.runTasks();
        node.otherLoop.runNext(2);
        node.loop.run(() -> publisher.publish("t", "held"));
        node.runAll();

        assertThat(delivered()).isEqualTo(back.getFirst().payloads().size()).isPositive();
        assertThat(delivered() + node.dropped("disconnected")).isEqualTo(2);
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
