package io.heddle.core.operator.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.PublishMessages;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MessagePublisherTest {
    private final TestNode node = new TestNode();
    private final MessagePublisher publisher = node.administration.publisher();

    private static PublishMessage message(String topic, QoS qos) {
        return PublishMessages.message(topic, qos, "21.5");
    }

    @Test
    void theOutcomeNamesTheNumberOfRecipients() {
        TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_LEAST_ONCE, "t");
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "#")
                .lose();

        assertThat(node.whileRunning(() -> publisher.publish(message("t", QoS.AT_LEAST_ONCE))))
                .isEqualTo(new PublishOutcome.Routed(2));
        assertThat(node.whileRunning(() -> publisher.publish(message("t", QoS.AT_MOST_ONCE))))
                .as("the absent client matches, too")
                .isEqualTo(new PublishOutcome.Routed(2));
        assertThat(subscriber.payloads()).containsExactly("21.5", "21.5");
        assertThat(node.connect(new Connect("away").persistent(60).packet()).payloads())
                .containsExactly("21.5");
    }

    @Test
    void topicsOfTheBrokerAreRefused() {
        assertThat(node.whileRunning(() -> publisher.publish(message("$SYS/x", QoS.AT_LEAST_ONCE))))
                .isEqualTo(new PublishOutcome.Refused(ReasonCode.NOT_AUTHORIZED));
    }

    @Test
    void theAnswerWaitsUntilTheMessageIsDurable() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        node.log.hold(1);
        CompletableFuture<PublishOutcome> outcome =
                CompletableFuture.supplyAsync(() -> publisher.publish(message("t", QoS.AT_LEAST_ONCE)));
        while (node.count("heddle.messages.received") == 0) {
            node.runAll();
        }
        node.runAll();
        assertThat(outcome).isNotDone();

        node.log.release();
        assertThat(node.whileRunning(outcome::join)).isEqualTo(new PublishOutcome.Routed(1));
    }

    @Test
    void theAnswerWaitsForTheRoutingLease() {
        node.connect("subscriber").subscribe(QoS.AT_LEAST_ONCE, "t");
        node.leaseNanos += TestNode.LEASE.toNanos();
        CompletableFuture<PublishOutcome> outcome =
                CompletableFuture.supplyAsync(() -> publisher.publish(message("t", QoS.AT_LEAST_ONCE)));
        while (node.gauge("heddle.cluster.lease.publishers") == 0) {
            node.runAll();
        }
        assertThat(outcome).isNotDone();

        node.lease.renew(node.leaseNanos);
        assertThat(node.whileRunning(outcome::join)).isEqualTo(new PublishOutcome.Routed(1));
    }
}
