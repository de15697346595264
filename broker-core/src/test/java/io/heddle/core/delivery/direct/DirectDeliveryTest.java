package io.heddle.core.delivery.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.routing.LoopRecipients;
import io.heddle.core.routing.Router;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.LogLines;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingSession;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DirectDeliveryTest {
    private static final int LIMIT = 10_000;

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final RecordingSession session = new RecordingSession("far", loop);
    private final SubscriptionTrie trie = new SubscriptionTrie();
    private final Router router = new Router(trie);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final LogLines log = new LogLines();
    private final DirectDelivery delivery = new DirectDelivery(
            1, LIMIT, new ClientIncidents(log.logger(), System::nanoTime, metrics), new Ledger(metrics), metrics);

    @BeforeEach
    void subscribeOnAnotherLoop() {
        trie.put(session, new Subscription(TopicFilter.parse("far", 8), QoS.EXACTLY_ONCE, false, false, 0));
        loop.leave();
    }

    private static PublishMessage message(int payloadBytes) {
        return PublishMessages.message("far", QoS.EXACTLY_ONCE, "x".repeat(payloadBytes));
    }

    private LoopRecipients recipients(PublishMessage message) {
        return router.route(message).onLoop(0);
    }

    private DirectDelivery.Later later(int payloadBytes) {
        PublishMessage message = message(payloadBytes);
        return delivery.later(message, recipients(message));
    }

    private void deliver(int payloadBytes) {
        PublishMessage message = message(payloadBytes);
        delivery.deliver(message, recipients(message));
    }

    @Test
    void deliveriesThatWaitForACommitPauseNoPublisher() {
        var _ = later(LIMIT * 3 / 5);

        deliver(100);
        assertThat(delivery.isCongested()).isFalse();

        loop.runTasks();
        assertThat(delivery.isCongested()).isFalse();
    }

    @Test
    void deliveriesThatWaitForACommitCountAgainstTheLimit() {
        DirectDelivery.Later waiting = later(LIMIT);
        PublishMessage next = message(1);
        assertThat(delivery.accepts(recipients(next))).isFalse();

        waiting.cancel();

        assertThat(delivery.accepts(recipients(next))).isTrue();
    }

    @Test
    void committedDeliveriesPausePublishersUntilTheLoopHasTakenThem() {
        DirectDelivery.Later waiting = later(LIMIT * 3 / 5);

        waiting.deliver();
        assertThat(delivery.isCongested()).isTrue();

        loop.runTasks();
        assertThat(delivery.isCongested()).isFalse();
        assertThat(session.delivered()).hasSize(1);
        assertThat(delivery.accepts(recipients(message(1)))).isTrue();
    }

    @Test
    void publishersPauseUntilNoLoopHasMoreThanAQuarterOfTheLimitWaiting() {
        deliver(LIMIT * 3 / 5);
        deliver(LIMIT / 3);
        assertThat(delivery.isCongested()).isTrue();

        loop.runNext(1);
        assertThat(delivery.isCongested()).isTrue();

        loop.runNext(1);
        assertThat(delivery.isCongested()).isFalse();
    }

    @Test
    void qos0MessagesAboveTheLimitAreDroppedWithALineThatNamesThePublisher() {
        deliver(LIMIT);
        PublishMessage message = PublishMessages.message("far", QoS.AT_MOST_ONCE, "x");

        for (int i = 0; i < 3; i++) {
            delivery.deliver(message, recipients(message));
        }

        assertThat(metrics.get("heddle.messages.dropped")
                        .tag("reason", "event_loop_overloaded")
                        .counter()
                        .count())
                .isEqualTo(3);
        assertThat(log.only())
                .startsWith("INFO Dropped a message: reason=event_loop_overloaded")
                .endsWith("clientId=" + message.publisher());
    }
}
