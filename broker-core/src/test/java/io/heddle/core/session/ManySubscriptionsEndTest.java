package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.mqtt.QoS;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The end of sessions with so many subscriptions that their event loop removes them in the background. */
class ManySubscriptionsEndTest {
    private static final int MANY = 300;

    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    TopicRules.STANDARD,
                    2 * MANY,
                    5,
                    3_600,
                    3_600,
                    0,
                    100,
                    4,
                    2,
                    TestNode.QUEUE,
                    50,
                    20_000,
                    TestNode.PATIENCE),
            1_000_000);
    private final TestClient publisher = node.connect("publisher");

    private static String[] filters(String prefix) {
        return IntStream.range(0, MANY).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    @Test
    void subscriptionsAreRemovedInStepsWithoutFurtherDeliveries() {
        double memory = node.gauge("heddle.sessions.memory.bytes");
        TestClient leaving = node.connect("leaving").subscribe(QoS.AT_MOST_ONCE, filters("t"));

        leaving.unsettled().lose();
        assertThat(node.trie.size()).isBetween(1, MANY - 1);
        for (int i = 0; i < MANY; i++) {
            publisher.unsettled().publish("t" + i, "x");
        }
        assertThat(node.count("heddle.messages.unmatched")).isEqualTo(MANY);
        assertThat(node.dropped("disconnected")).isZero();

        node.loop.runNext(1);
        assertThat(node.trie.size()).isPositive();
        node.runAll();

        assertThat(node.trie.size()).isZero();
        assertThat(node.gauge("heddle.sessions")).isOne();
        assertThat(node.gauge("heddle.sessions.memory.bytes")).isEqualTo(memory);
    }

    @Test
    void sharedSubscriptionsAreRemovedAtOnce() {
        TestClient leaving = node.connect("leaving").subscribe(QoS.AT_LEAST_ONCE, filters("$share/group/t"));
        TestClient staying = node.connect("staying").subscribe(QoS.AT_LEAST_ONCE, "$share/group/t1");

        leaving.unsettled().lose();
        publisher.unsettled().publish("t1", "x", QoS.AT_LEAST_ONCE, 1);

        assertThat(node.trie.size()).isOne();
        assertThat(staying.payloads()).containsExactly("x");
    }

    @Test
    void theNextConnectionOfTheClientWaitsForTheEnd() {
        TestClient leaving = node.connect("leaving").subscribe(QoS.AT_MOST_ONCE, filters("t"));
        leaving.unsettled().lose();

        TestClient next = node.begin(node.loop, new Connect("leaving").packet());
        assertThat(next.connection().sent()).isEmpty();
        node.runAll();

        next.subscribe(QoS.AT_MOST_ONCE, filters("t"));
        assertThat(node.trie.size()).isEqualTo(MANY);
        publisher.publish("t1", "x");
        assertThat(next.payloads()).containsExactly("x");
    }

    @Test
    void aTakeoverAlsoWaitsForTheEnd() {
        TestClient old = node.connect("client").subscribe(QoS.AT_MOST_ONCE, filters("t"));

        TestClient next = node.connect("client");

        assertThat(old.connection().isOpen()).isFalse();
        assertThat(next.connAck().reason().isError()).isFalse();
        assertThat(node.trie.size()).isZero();
    }

    @Test
    void aPersistentSessionThatEndsWithItsConnectionEndsInTheBackground() {
        TestClient leaving =
                node.connect(new Connect("leaving").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, filters("t"));
        assertThat(node.persistent.all()).hasSize(1);

        leaving.unsettled().endSession();
        assertThat(node.trie.size()).isEqualTo(MANY);
        node.runAll();

        assertThat(node.trie.size()).isZero();
        assertThat(node.persistent.all()).isEmpty();
        assertThat(node.gauge("heddle.sessions")).isOne();
    }
}
