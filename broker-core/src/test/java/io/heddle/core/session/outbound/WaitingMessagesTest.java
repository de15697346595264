package io.heddle.core.session.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.DeliveryTerms;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The array behind a queue, which is not visible in packets. */
final class WaitingMessagesTest {
    private static final int BURST = 10_000;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
    private final WaitingMessages waiting = new WaitingMessages(
            new ClientId("c"),
            new QueueLimits(BURST, Long.MAX_VALUE, QueueLimits.Overflow.DROP_OLDEST),
            new MemoryBudget(Long.MAX_VALUE, metrics),
            clock,
            new SessionMetrics(new ClientIncidents(() -> 0, metrics), metrics));
    private final HeldMessage message = new HeldMessage(
            PublishMessage.receivedAt(
                    clock,
                    new ClientId("c"),
                    TopicName.parse("t", 1),
                    QoS.AT_LEAST_ONCE,
                    false,
                    PublishProperties.NONE,
                    BinaryData.EMPTY),
            QoS.AT_LEAST_ONCE,
            false,
            new DeliveryTerms(QoS.AT_LEAST_ONCE, false, List.of()));

    @Test
    void aLongQueueReleasesItsArrayWhenEmpty() {
        Object small = waiting.queue;
        add(BURST);
        assertThat(waiting.queue).isSameAs(small);
        for (int i = 0; i < BURST; i++) {
            assertThat(waiting.take()).isSameAs(message);
        }
        Object replaced = waiting.queue;
        assertThat(replaced).isNotSameAs(small);

        add(BURST);
        waiting.clear(_ -> false);
        assertThat(waiting.queue).isNotSameAs(replaced).isEmpty();
    }

    @Test
    void aShortQueueKeepsItsArray() {
        Object small = waiting.queue;
        add(100);
        while (waiting.peek() != null) {
            assertThat(waiting.take()).isSameAs(message);
        }

        assertThat(waiting.queue).isSameAs(small);
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            waiting.add(message);
        }
    }
}
