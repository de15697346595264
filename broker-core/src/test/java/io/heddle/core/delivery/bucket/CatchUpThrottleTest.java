package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingQueueReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CatchUpThrottleTest {
    private static final ClientId PUMP = new ClientId("pump-1");

    private long millis;
    private int naps;
    private Runnable whileNapping = () -> {};
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SteadyClock clock =
            new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> TimeUnit.MILLISECONDS.toNanos(millis));
    private final CatchUpThrottle throttle = new CatchUpThrottle(new QueueBounds(8, 4_000, true, 1), clock, metrics);
    private final RecordingQueueReader pump = new RecordingQueueReader(new ManualEventLoop(0), 1);
    private final RecordingQueueReader valve = new RecordingQueueReader(new ManualEventLoop(0), 1);

    private void awaitReaders() {
        while (throttle.isWaiting()) {
            naps++;
            millis += 2;
            whileNapping.run();
        }
    }

    /** Returns the number of portions of these commands. */
    private int portions(List<BucketCommand> commands) {
        return sizes(commands).size();
    }

    private List<Integer> sizes(List<BucketCommand> commands) {
        List<Integer> sizes = new ArrayList<>();
        CatchUpThrottle.Portion portion = throttle.nextPortion();
        if (portion == null) {
            return List.of(commands.size());
        }
        int size = 0;
        for (BucketCommand command : commands) {
            if (!portion.add(command) && size > 0) {
                sizes.add(size);
                size = 0;
                portion = Objects.requireNonNull(throttle.nextPortion());
                var _ = portion.add(command);
            }
            size++;
        }
        sizes.add(size);
        return sizes;
    }

    @Test
    void aBucketInStepIsNotThrottled() {
        ask(5);

        assertThat(throttle.nextPortion()).isNull();
        throttle.recordQueued(pump, 100, 1);
        awaitReaders();

        assertThat(naps).isZero();
    }

    @Test
    void theBacklogIsAppliedInPortionsOfAQuarterOfAQueue() {
        throttle.onUnanswered(clock.millis());
        millis += 10_000;

        assertThat(sizes(commands(5, 1))).containsExactly(2, 2, 1);
    }

    @Test
    void portionsAreLimitedByBytesAndHoldAtLeastOneMessage() {
        throttle.onUnanswered(clock.millis());

        assertThat(sizes(commands(3, 2_000))).containsExactly(1, 1, 1);
    }

    @Test
    void manyClientsWithLittleEachAreOnePortion() {
        throttle.onUnanswered(clock.millis());
        List<BucketCommand> forMany = IntStream.range(0, 500)
                .mapToObj(i -> command(1, new ClientId("sensor-" + i % 250)))
                .toList();

        assertThat(portions(forMany)).isOne();
    }

    @Test
    void waitsForAClientWithABacklogOfHalfAQueue() {
        troubleOf(10_000);
        throttle.recordQueued(pump, 3, 1);
        awaitReaders();
        assertThat(naps).isZero();
        whileNapping = () -> pump.reportedBelow(naps == 5 ? 1 : pump.reportedBelow());

        throttle.recordQueued(pump, 4, 1);
        awaitReaders();

        assertThat(naps).isEqualTo(5);
        assertThat(metrics.timer("heddle.buckets.waited").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(10);
    }

    @Test
    void waitsForAClientWithABacklogOfHalfItsBytesUntilItHasAcknowledgedAll() {
        troubleOf(10_000);
        throttle.recordQueued(pump, 1, 1_500);
        awaitReaders();
        assertThat(naps).isZero();
        whileNapping = () -> pump.reportedBelow(naps == 5 ? 3 : 2);

        throttle.recordQueued(pump, 2, 1_500);
        awaitReaders();

        assertThat(naps).isEqualTo(5);
    }

    @Test
    void doesNotWaitForASlowClientWithAShortBacklog() {
        troubleOf(10_000);

        throttle.recordQueued(pump, 3, 1_000);
        awaitReaders();
        throttle.recordQueued(valve, 2, 1_000);
        awaitReaders();

        assertThat(naps).isZero();
    }

    @Test
    void waitsForASlowClientWhileItAcknowledges() {
        troubleOf(10_000);
        long start = millis;
        whileNapping = () -> {
            if ((millis - start) % 1_500 == 0) {
                pump.reportedBelow(pump.reportedBelow() + 1);
            }
        };

        throttle.recordQueued(pump, 8, 1);
        awaitReaders();

        assertThat(pump.reportedBelow()).isEqualTo(5);
        assertThat(millis - start).isEqualTo(7_500);
    }

    @Test
    void aClientThatDoesNotAcknowledgeDelaysTheOthersOnce() {
        troubleOf(10_000);
        throttle.recordQueued(pump, 6, 1);
        throttle.recordQueued(valve, 6, 1);
        valve.reportedBelow(7);
        long start = millis;

        awaitReaders();
        assertThat(millis - start).isEqualTo(CatchUpThrottle.PATIENCE_MILLIS);
        throttle.recordQueued(pump, 7, 1);
        awaitReaders();

        assertThat(millis - start).isEqualTo(CatchUpThrottle.PATIENCE_MILLIS);
    }

    @Test
    void throttlingLastsTwiceAsLongAsTheOutage() {
        troubleOf(1_000);
        long start = millis;
        // The client acknowledges too slowly.
        whileNapping = () -> pump.reportedBelow(-millis);

        throttle.recordQueued(pump, 6, 1);
        awaitReaders();

        assertThat(millis - start).isEqualTo(2_000);
        assertThat(portions(commands(100, 1))).isOne();
    }

    @Test
    void throttlingLastsAMinuteAtMost() {
        troubleOf(TimeUnit.HOURS.toMillis(5));

        millis += CatchUpThrottle.LONGEST_MILLIS - 1;
        assertThat(portions(commands(100, 1))).isGreaterThan(1);
        millis += 1;
        assertThat(portions(commands(100, 1))).isOne();
    }

    @Test
    void aLateAnswerCountsAsAnOutage() {
        ask(3_000);

        assertThat(portions(commands(100, 1))).isGreaterThan(1);
    }

    @Test
    void queuesThatRolledBackAreReplayedInPortions() {
        throttle.onRolledBack();

        assertThat(portions(commands(100, 1))).isGreaterThan(1);
    }

    /** Simulates an outage of this duration. */
    private void troubleOf(long lasted) {
        throttle.onUnanswered(clock.millis());
        millis += lasted;
        throttle.onAnswered(clock.millis());
    }

    private void ask(long answeredAfter) {
        long asked = clock.millis();
        millis += answeredAfter;
        throttle.onAnswered(asked);
    }

    private static List<BucketCommand> commands(int count, int payloadBytes) {
        return IntStream.range(0, count)
                .mapToObj(_ -> command(payloadBytes, PUMP))
                .toList();
    }

    private static BucketCommand command(int payloadBytes, ClientId clientId) {
        return new BucketCommand.Enqueue(
                PublishMessages.message(new byte[payloadBytes]),
                List.of(new QueueRecipient(clientId, 1, QoS.AT_LEAST_ONCE, false, List.of())));
    }
}
