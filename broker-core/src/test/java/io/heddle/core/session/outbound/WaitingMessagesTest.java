package io.heddle.core.session.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The array behind a queue, which is not visible in packets. */
final class WaitingMessagesTest {
    private static final int BURST = 10_000;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
    private final WaitingMessages waiting = waiting(Long.MAX_VALUE);
    private final HeldMessage message = message(BinaryData.EMPTY);

    private WaitingMessages waiting(long maximumBytes) {
        Ledger ledger = new Ledger(metrics);
        LoopLedger ofLoop = ledger.of(new ManualEventLoop(0));
        SessionMetrics counters = new SessionMetrics(new ClientIncidents(() -> 0, metrics), ledger, null, metrics);
        return new WaitingMessages(
                new ClientId("c"),
                new QueueLimits(BURST, maximumBytes, QueueLimits.Overflow.DROP_OLDEST),
                new MemoryBudget(Long.MAX_VALUE, metrics),
                clock,
                new Drops(new ClientId("c"), clock, counters, ofLoop),
                counters,
                ofLoop);
    }

    private HeldMessage message(BinaryData payload) {
        return new HeldMessage(
                PublishMessage.receivedAt(
                        clock,
                        new ClientId("c"),
                        TopicName.parse("t", 1),
                        QoS.AT_LEAST_ONCE,
                        false,
                        PublishProperties.NONE,
                        payload),
                QoS.AT_LEAST_ONCE,
                false,
                new DeliveryTerms(QoS.AT_LEAST_ONCE, false, List.of()));
    }

    /** With the default settings, a packet may have half as many bytes as a queue, and its payload counts twice. */
    @Test
    void theLargestPacketFitsIntoAnEmptyQueue() {
        WaitingMessages small = waiting(4 << 20);
        HeldMessage largest = message(BinaryData.wrap(new byte[2 << 20]));
        small.add(largest);
        assertThat(small.peek()).isSameAs(largest);

        HeldMessage newest = message(BinaryData.wrap(new byte[2 << 20]));
        small.add(newest);
        assertThat(small.peek()).isSameAs(newest);
        assertThat(small.waiting()).isOne();
    }

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
        waiting.clear(_ -> {});
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
