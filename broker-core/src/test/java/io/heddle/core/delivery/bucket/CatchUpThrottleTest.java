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
    private final CatchUpThrottle pace = new CatchUpThrottle(new QueueBounds(8, 4_000, true, 1), clock, metrics);
    private final RecordingQueueReader pump = new RecordingQueueReader(new ManualEventLoop(0), 1);
    private final RecordingQueueReader valve = new RecordingQueueReader(new ManualEventLoop(0), 1);

    private void awaitReaders() {
        while (pace.isHeldUp()) {
            naps++;
            millis += 2;
            whileNapping.run();
        }
    }

    /** How many portions these commands are. */
    private int portions(List<BucketCommand> commands) {
        return sizes(commands).size();
    }

    private List<Integer> sizes(List<BucketCommand> commands) {
        List<Integer> sizes = new ArrayList<>();
        CatchUpThrottle.Share share = pace.portion();
        if (share == null) {
            return List.of(commands.size());
        }
        int size = 0;
        for (BucketCommand command : commands) {
            if (!share.add(command) && size > 0) {
                sizes.add(size);
                size = 0;
                share = Objects.requireNonNull(pace.portion());
                var _ = share.add(command);
            }
            size++;
        }
        sizes.add(size);
        return sizes;
    }

    @Test
    void inStepEverythingIsAppliedAtOnceAndNobodyIsWaitedFor() {
        ask(5);

        assertThat(pace.portion()).isNull();
        pace.told(pump, 100, 1);
        awaitReaders();

        assertThat(naps).isZero();
    }

    @Test
    void whatPiledUpIsAppliedInPortionsOfAQuarterOfAQueue() {
        pace.unanswered(clock.millis());
        millis += 10_000;

        assertThat(sizes(commands(5, 1))).containsExactly(2, 2, 1);
    }

    @Test
    void alsoByTheirBytesAndNeverLessThanOneMessage() {
        pace.unanswered(clock.millis());

        assertThat(sizes(commands(3, 2_000))).containsExactly(1, 1, 1);
    }

    @Test
    void manyClientsWithLittleEachAreOnePortion() {
        pace.unanswered(clock.millis());
        List<BucketCommand> forMany = IntStream.range(0, 500)
                .mapToObj(i -> command(1, new ClientId("sensor-" + i % 250)))
                .toList();

        assertThat(portions(forMany)).isOne();
    }

    @Test
    void aClientWithMoreThanHalfAQueueBeforeItIsWaitedFor() {
        troubleOf(10_000);
        pace.told(pump, 3, 1);
        awaitReaders();
        assertThat(naps).isZero();
        whileNapping = () -> pump.reportedBelow(naps == 5 ? 1 : pump.reportedBelow());

        pace.told(pump, 4, 1);
        awaitReaders();

        assertThat(naps).isEqualTo(5);
        assertThat(metrics.timer("heddle.buckets.waited").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(10);
    }

    @Test
    void aClientWithHalfItsBytesBeforeItIsWaitedForUntilItHasAcknowledgedAll() {
        troubleOf(10_000);
        pace.told(pump, 1, 1_500);
        awaitReaders();
        assertThat(naps).isZero();
        whileNapping = () -> pump.reportedBelow(naps == 5 ? 3 : 2);

        pace.told(pump, 2, 1_500);
        awaitReaders();

        assertThat(naps).isEqualTo(5);
    }

    @Test
    void aSlowClientWithLittleBeforeItIsNotWaitedFor() {
        troubleOf(10_000);

        pace.told(pump, 3, 1_000);
        awaitReaders();
        pace.told(valve, 2, 1_000);
        awaitReaders();

        assertThat(naps).isZero();
    }

    @Test
    void aClientThatIsSlowIsWaitedForAsLongAsItMoves() {
        troubleOf(10_000);
        long start = millis;
        whileNapping = () -> {
            if ((millis - start) % 1_500 == 0) {
                pump.reportedBelow(pump.reportedBelow() + 1);
            }
        };

        pace.told(pump, 8, 1);
        awaitReaders();

        assertThat(pump.reportedBelow()).isEqualTo(5);
        assertThat(millis - start).isEqualTo(7_500);
    }

    @Test
    void aClientThatDoesNotMoveHoldsUpTheOthersOnce() {
        troubleOf(10_000);
        pace.told(pump, 6, 1);
        pace.told(valve, 6, 1);
        valve.reportedBelow(7);
        long start = millis;

        awaitReaders();
        assertThat(millis - start).isEqualTo(CatchUpThrottle.PATIENCE_MILLIS);
        pace.told(pump, 7, 1);
        awaitReaders();

        assertThat(millis - start).isEqualTo(CatchUpThrottle.PATIENCE_MILLIS);
    }

    @Test
    void itIsOverAfterAsLongAsTheTroubleLasted() {
        troubleOf(1_000);
        long start = millis;
        // It moves, and not enough.
        whileNapping = () -> pump.reportedBelow(-millis);

        pace.told(pump, 6, 1);
        awaitReaders();

        assertThat(millis - start).isEqualTo(1_000);
        assertThat(portions(commands(100, 1))).isOne();
    }

    @Test
    void itNeverTakesLongerThanAMinuteHoweverLongTheTroubleLasted() {
        troubleOf(TimeUnit.HOURS.toMillis(5));

        millis += CatchUpThrottle.LONGEST_MILLIS - 1;
        assertThat(portions(commands(100, 1))).isGreaterThan(1);
        millis += 1;
        assertThat(portions(commands(100, 1))).isOne();
    }

    @Test
    void anAnswerThatTookLongIsTroubleToo() {
        ask(3_000);

        assertThat(portions(commands(100, 1))).isGreaterThan(1);
    }

    @Test
    void queuesThatRolledBackAreFilledAgainInPortions() {
        pace.rolledBack();

        assertThat(portions(commands(100, 1))).isGreaterThan(1);
    }

    /** The queues answered after so long, and did not before. */
    private void troubleOf(long lasted) {
        pace.unanswered(clock.millis());
        millis += lasted;
        pace.answered(clock.millis());
    }

    private void ask(long answeredAfter) {
        long asked = clock.millis();
        millis += answeredAfter;
        pace.answered(asked);
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
