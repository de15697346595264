package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The measured time from the arrival of a PUBLISH to the connection of a subscriber. */
final class DeliveryLatencyTest {
    private final TestNode node = new TestNode();
    private final TestClient publisher;

    DeliveryLatencyTest() {
        node.authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app*")));
        publisher = node.connect("publisher");
    }

    private Timer latency(String path, int qos) {
        return node.metrics
                .get("heddle.delivery.latency")
                .tags("path", path, "qos", Integer.toString(qos))
                .timer();
    }

    private TestClient persistent(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet());
    }

    @Test
    void aMessageForAnotherEventLoopIsMeasuredUntilThatLoopSendsIt() {
        node.connect(node.otherLoop, new Connect("subscriber").packet()).subscribe(QoS.AT_MOST_ONCE, "t");
        node.otherLoop.leave();
        publisher.unsettled().publish("t", "x");

        node.advance(Duration.ofMillis(3));

        assertThat(latency("direct", 0).count()).isOne();
        assertThat(latency("direct", 0).totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3);
    }

    @Test
    void ofSeventeenMessagesOneIsMeasured() {
        node.connect("subscriber").subscribe(QoS.AT_MOST_ONCE, "t");
        for (int i = 0; i < 17; i++) {
            publisher.publish("t", "x");
        }
        assertThat(latency("direct", 0).count()).isOne();

        publisher.publish("t", "x");

        assertThat(latency("direct", 0).count()).isEqualTo(2);
    }

    @Test
    void theWaitForTheSendQuotaIsIncluded() {
        TestClient subscriber = node.connect(
                        new Connect("subscriber").receiveMaximum(1).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t");
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        node.connect("second").publish("t", "b", QoS.AT_LEAST_ONCE, 1);
        assertThat(latency("direct", 1).count()).isOne();
        node.advance(Duration.ofMillis(20));

        subscriber.pubAck(1);

        assertThat(subscriber.payloads()).containsExactly("a", "b");
        assertThat(latency("direct", 1).totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
    }

    @Test
    void aQueuedMessageIsMeasuredThroughTheBucketLog() {
        TestClient device = persistent("device").subscribe(QoS.AT_LEAST_ONCE, "t");
        node.applying(false);
        publisher.publish("t", "x", QoS.AT_LEAST_ONCE, 1);
        node.advance(Duration.ofMillis(40));

        node.applying(true);

        assertThat(device.payloads()).containsExactly("x");
        assertThat(latency("device", 1).count()).isOne();
        assertThat(latency("device", 1).totalTime(TimeUnit.MILLISECONDS)).isBetween(40.0, 60.0);
    }

    @Test
    void aMessageForADeviceThatWasAwayIsNotMeasured() {
        persistent("device").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.applying(false);
        publisher.publish("t", "x", QoS.AT_LEAST_ONCE, 1);
        node.advance(Duration.ofMillis(40));

        TestClient back = persistent("device");
        node.applying(true);

        assertThat(back.payloads()).containsExactly("x");
        assertThat(latency("device", 1).count()).isZero();
    }

    @Test
    void aMessageInTheLogOfAnApplicationIsMeasured() {
        TestClient application = persistent("app").subscribe(QoS.EXACTLY_ONCE, "t");

        publisher.publish("t", "x", QoS.EXACTLY_ONCE, 1);

        assertThat(application.payloads()).containsExactly("x");
        assertThat(latency("application", 2).count()).isOne();
    }

    @Test
    void aMessageForAnApplicationThatWasAwayIsNotMeasured() {
        persistent("app").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publisher.publish("t", "x", QoS.AT_LEAST_ONCE, 1);
        node.advance(Duration.ofMillis(40));

        TestClient back = persistent("app");

        assertThat(back.payloads()).containsExactly("x");
        assertThat(latency("application", 1).count()).isZero();
    }

    @Test
    void aRetainedMessageIsNotMeasuredForALaterSubscriber() {
        publisher.retain("t", "x");
        node.advance(Duration.ofMillis(40));

        TestClient late = node.connect("late").subscribe(QoS.AT_MOST_ONCE, "t");

        assertThat(late.payloads()).containsExactly("x");
        assertThat(latency("direct", 0).count()).isZero();
    }
}
