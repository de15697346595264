package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.TestNode;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time until delivery, measured by the clocks of two nodes. */
final class LatencyAcrossNodesTest {
    private final MessageCluster cluster = new MessageCluster(2);
    private final TestNode receiver = cluster.node(1);

    private Timer latency() {
        return receiver.metrics
                .get("heddle.delivery.latency")
                .tags("path", "direct", "qos", "1")
                .timer();
    }

    private void subscribeAndPublish() {
        cluster.connect(1, "subscriber").subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.cut(0, 1);
        cluster.connect(0, "publisher").publish("t", "x", QoS.AT_LEAST_ONCE, 1);
    }

    @Test
    void theWayOverTheLinkIsIncluded() {
        subscribeAndPublish();
        receiver.advance(Duration.ofMillis(7));

        cluster.heal(0, 1);

        assertThat(latency().count()).isOne();
        assertThat(latency().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(7);
        assertThat(receiver.count("heddle.delivery.latency.ahead")).isZero();
    }

    @Test
    void anArrivalInTheFutureCountsAsNoTime() {
        cluster.node(0).advance(Duration.ofSeconds(1));
        subscribeAndPublish();

        cluster.heal(0, 1);

        assertThat(latency().count()).isOne();
        assertThat(latency().totalTime(TimeUnit.MILLISECONDS)).isZero();
        assertThat(receiver.count("heddle.delivery.latency.ahead")).isOne();
    }

    @Test
    void onlyTheMeasuredMessagesAreMeasuredAtTheOtherNode() {
        cluster.connect(1, "subscriber").subscribe(QoS.AT_MOST_ONCE, "t");
        var publisher = cluster.connect(0, "publisher");

        for (int i = 0; i < 18; i++) {
            publisher.publish("t", "x");
        }

        assertThat(receiver.metrics
                        .get("heddle.delivery.latency")
                        .tags("path", "direct", "qos", "0")
                        .timer()
                        .count())
                .isEqualTo(2);
    }
}
