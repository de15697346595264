package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients that close the connection without waiting for CONNACK. Their packets behind CONNECT are still to be processed. */
final class FireAndForgetTest {
    private final TestNode node = new TestNode();
    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t", "wills");

    private TestClient hasty(Connect connect) {
        TestClient client = node.begin(node.otherLoop, connect.packet());
        client.connection().loseWithPackets();
        return client;
    }

    @Test
    void aMessageOfAClientThatHasClosedIsPublished() {
        TestClient client = hasty(new Connect("c"));
        node.runAll();

        client.publish("t", "hello");
        client.disconnect();

        assertThat(subscriber.payloads()).containsExactly("hello");
        assertThat(node.count("heddle.connects", "outcome", "success")).isEqualTo(2);
        assertThat(node.sessions.connectedCount()).isOne();
    }

    @Test
    void theWillOfAClientThatHasClosedWithoutDisconnectIsPublished() {
        TestClient client = hasty(new Connect("c").will(0, QoS.AT_MOST_ONCE, false));
        node.runAll();
        client.publish("t", "hello");
        client.lose();

        assertThat(subscriber.payloads()).containsExactly("hello", "gone");
    }

    @Test
    void theNextConnectionWaitsForThePacketsOfTheEarlierOne() {
        TestClient first = hasty(new Connect("c"));
        node.runAll();
        TestClient second = node.begin(node.loop, new Connect("c").packet());
        node.runAll();
        assertThat(second.established()).isEmpty();

        first.publish("t", "hello");
        first.disconnect();

        assertThat(subscriber.payloads()).containsExactly("hello");
        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(node.count("heddle.sessions.taken.over")).isZero();
    }

    @Test
    void theNextConnectionWaitsForOneSecondAtMost() {
        TestClient first = hasty(new Connect("c").persistent(60));
        node.runAll();
        TestClient second =
                node.begin(node.loop, new Connect("c").persistent(60).packet());
        node.runAll();
        node.advance(Duration.ofMillis(999));
        assertThat(second.established()).isEmpty();
        node.advance(Duration.ofMillis(1));

        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(first.connection().isGone()).isTrue();
        assertThat(node.count("heddle.sessions.taken.over")).isOne();
    }
}
