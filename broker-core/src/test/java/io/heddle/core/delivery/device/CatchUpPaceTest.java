package io.heddle.core.delivery.device;

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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CatchUpPaceTest {
    private static final ClientId PUMP = new ClientId("pump-1");

    private long millis;
    private int naps;
    private Runnable whileNapping = () -> {};
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SteadyClock clock =
            new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> TimeUnit.MILLISECONDS.toNanos(millis));
    private final CatchUpPace pace = new CatchUpPace(new QueueBounds(8, 4_000, true, 1), clock, this::nap, metrics);
    private final RecordingQueueReader pump = new RecordingQueueReader(new ManualEventLoop(0), 1);
    private final RecordingQueueReader valve = new RecordingQueueReader(new ManualEventLoop(0), 1);

    private void nap() {
        naps++;
        millis += 2;
        whileNapping.run();
    }

    @Test
    void inStepEverythingIsAppliedAtOnceAndNobodyIsWaitedFor() {
        List<BucketBatch> batches = List.of(batch(0, commands(100, 1)));
        ask(5);

        assertThat(pace.portions(batches)).containsExactly(batches);
        pace.told(pump, 100, 1);
        pace.awaitReaders();

        assertThat(naps).isZero();
    }

    @Test
    void whatPiledUpIsAppliedInPortionsOfAQuarterOfAQueueThatFollowEachOther() {
        pace.unanswered(clock.millis());
        millis += 10_000;

        List<List<BucketBatch>> portions = pace.portions(List.of(batch(0, commands(5, 1)), batch(3, commands(2, 1))));

        assertThat(portions).hasSize(3);
        assertThat(portions.get(0)).extracting(BucketBatch::bucket).containsExactly(0, 3);
        assertThat(portions.get(1)).extracting(BucketBatch::bucket).containsExactly(0);
        assertThat(ofBucket(0, portions))
                .extracting(BucketBatch::precedingOffset)
                .containsExactly(BucketBatch.NOTHING, 3L, 7L);
        assertThat(ofBucket(0, portions).stream()
                        .flatMap(batch -> batch.commands().stream())
                        .map(BucketBatch.Logged::offset))
                .containsExactly(1L, 3L, 5L, 7L, 9L);
    }

    @Test
    void alsoByTheirBytesAndNeverLessThanOneMessage() {
        pace.unanswered(clock.millis());

        List<List<BucketBatch>> portions = pace.portions(List.of(batch(0, commands(3, 2_000))));

        assertThat(ofBucket(0, portions))
                .hasSize(3)
                .allMatch(batch -> batch.commands().size() == 1);
    }

    @Test
    void manyClientsWithLittleEachAreOnePortion() {
        pace.unanswered(clock.millis());
        List<BucketCommand> forMany = IntStream.range(0, 500)
                .mapToObj(i -> command(1, new ClientId("sensor-" + i % 250)))
                .toList();

        assertThat(pace.portions(List.of(batch(0, forMany)))).hasSize(1);
    }

    @Test
    void aClientWithMoreThanHalfAQueueBeforeItIsWaitedFor() {
        troubleOf(10_000);
        pace.told(pump, 3, 1);
        pace.awaitReaders();
        assertThat(naps).isZero();
        whileNapping = () -> pump.toldBelow(naps == 5 ? 1 : pump.toldBelow());

        pace.told(pump, 4, 1);
        pace.awaitReaders();

        assertThat(naps).isEqualTo(5);
        assertThat(metrics.timer("heddle.buckets.waited").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(10);
    }

    @Test
    void aClientWithHalfItsBytesBeforeItIsWaitedForUntilItHasAcknowledgedAll() {
        troubleOf(10_000);
        pace.told(pump, 1, 1_500);
        pace.awaitReaders();
        assertThat(naps).isZero();
        whileNapping = () -> pump.toldBelow(naps == 5 ? 3 : 2);

        pace.told(pump, 2, 1_500);
        pace.awaitReaders();

        assertThat(naps).isEqualTo(5);
    }

    @Test
    void aSlowClientWithLittleBeforeItIsNotWaitedFor() {
        troubleOf(10_000);

        pace.told(pump, 3, 1_000);
        pace.awaitReaders();
        pace.told(valve, 2, 1_000);
        pace.awaitReaders();

        assertThat(naps).isZero();
    }

    @Test
    void aClientThatIsSlowIsWaitedForAsLongAsItMoves() {
        troubleOf(10_000);
        long start = millis;
        whileNapping = () -> {
            if ((millis - start) % 1_500 == 0) {
                pump.toldBelow(pump.toldBelow() + 1);
            }
        };

        pace.told(pump, 8, 1);
        pace.awaitReaders();

        assertThat(pump.toldBelow()).isEqualTo(5);
        assertThat(millis - start).isEqualTo(7_500);
    }

    @Test
    void aClientThatDoesNotMoveHoldsUpTheOthersOnce() {
        troubleOf(10_000);
        pace.told(pump, 6, 1);
        pace.told(valve, 6, 1);
        valve.toldBelow(7);
        long start = millis;

        pace.awaitReaders();
        assertThat(millis - start).isEqualTo(CatchUpPace.PATIENCE_MILLIS);
        pace.told(pump, 7, 1);
        pace.awaitReaders();

        assertThat(millis - start).isEqualTo(CatchUpPace.PATIENCE_MILLIS);
    }

    @Test
    void itIsOverAfterAsLongAsTheTroubleLasted() {
        troubleOf(1_000);
        long start = millis;
        // It moves, and not enough.
        whileNapping = () -> pump.toldBelow(-millis);

        pace.told(pump, 6, 1);
        pace.awaitReaders();

        assertThat(millis - start).isEqualTo(1_000);
        assertThat(pace.portions(List.of(batch(0, commands(100, 1))))).hasSize(1);
    }

    @Test
    void itNeverTakesLongerThanAMinuteHoweverLongTheTroubleLasted() {
        troubleOf(TimeUnit.HOURS.toMillis(5));

        millis += CatchUpPace.LONGEST_MILLIS - 1;
        assertThat(pace.portions(List.of(batch(0, commands(100, 1))))).hasSizeGreaterThan(1);
        millis += 1;
        assertThat(pace.portions(List.of(batch(0, commands(100, 1))))).hasSize(1);
    }

    @Test
    void anAnswerThatTookLongIsTroubleToo() {
        ask(3_000);

        assertThat(pace.portions(List.of(batch(0, commands(100, 1))))).hasSizeGreaterThan(1);
    }

    @Test
    void queuesThatWentBackAreFilledAgainInPortions() {
        pace.wentBack();

        assertThat(pace.portions(List.of(batch(0, commands(100, 1))))).hasSizeGreaterThan(1);
    }

    @Test
    void aThreadThatIsToEndWaitsForNobody() {
        troubleOf(10_000);
        pace.told(pump, 8, 1);
        Thread.currentThread().interrupt();

        pace.awaitReaders();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(naps).isZero();
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

    private static List<BucketBatch> ofBucket(int bucket, List<List<BucketBatch>> portions) {
        return portions.stream()
                .flatMap(List::stream)
                .filter(batch -> batch.bucket() == bucket)
                .toList();
    }

    private static BucketBatch batch(int bucket, List<BucketCommand> commands) {
        List<BucketBatch.Logged> logged = new ArrayList<>();
        for (BucketCommand command : commands) {
            // What commits takes the offsets between.
            logged.add(new BucketBatch.Logged(2L * logged.size() + 1, command));
        }
        return new BucketBatch(bucket, BucketBatch.NOTHING, logged);
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
