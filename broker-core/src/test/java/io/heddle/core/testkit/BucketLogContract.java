package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of {@link BucketLog}: reading of the held buckets, and that of {@link BucketHoldingContract}. */
public abstract class BucketLogContract extends BucketHoldingContract {
    @Test
    void commandsArriveInOrderAndEachBatchNamesItsPredecessor() throws Exception {
        append(0, 5);
        append(2, 1);
        read(sink);
        await().until(() -> sink.offsets(0).size() == 5 && sink.offsets(2).size() == 1);
        append(0, 3);

        await().until(() -> sink.offsets(0).size() == 8);
        assertThat(sink.offsets(0)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(sink.offsets(1)).isEmpty();
        long before = BucketBatch.NOTHING;
        List<BucketCommand> commands = new ArrayList<>();
        for (BucketBatch batch : sink.batches(0)) {
            assertThat(batch.precedingOffset()).isEqualTo(before);
            before = batch.lastOffset();
            batch.commands().forEach(logged -> commands.add(logged.command()));
        }
        assertThat(commands)
                .containsExactly(
                        marker(0), marker(1), marker(2), marker(3), marker(4), marker(0), marker(1), marker(2));
    }

    @Test
    void aMessageIsReadWithItsArrivalTimeIfItHasOne() throws Exception {
        List<QueueRecipient> recipients =
                List.of(new QueueRecipient(new ClientId("pump"), 7, QoS.AT_LEAST_ONCE, false, List.of()));
        RecordingOutcome outcome = new RecordingOutcome();
        messages()
                .append(
                        List.of(
                                new ToBucket(
                                        0,
                                        new BucketCommand.Enqueue(
                                                PublishMessages.message("a").arrivedAt(1_700_000_000_123_456L),
                                                recipients)),
                                new ToBucket(0, new BucketCommand.Enqueue(PublishMessages.message("b"), recipients))),
                        outcome);
        assertThat(outcome.await()).isNull();

        read(sink);

        await().until(() -> sink.offsets(0).size() == 2);
        assertThat(sink.batches(0).stream()
                        .flatMap(batch -> batch.commands().stream())
                        .map(logged -> ((BucketCommand.Enqueue) logged.command())
                                .message()
                                .arrivedMicros()))
                .containsExactly(1_700_000_000_123_456L, PublishMessage.NOT_MEASURED);
    }

    @Test
    void aBatchAfterACommitFollowsTheLastCommandAndNotTheTransactionMarker() throws Exception {
        read(sink);
        commit(1);
        await().until(() -> sink.offsets(1).size() == 1 && sink.reached(1) > 1);
        append(1, 1);

        await().until(() -> sink.offsets(1).size() == 2);
        assertThat(sink.batches(1).getLast().precedingOffset()).isEqualTo(0);
        assertThat(sink.offsets(1).getLast()).isGreaterThan(1);
    }

    @Test
    void readingStartsAfterTheAppliedOffset() throws Exception {
        append(0, 4);
        append(1, 2);
        read(sink.startAfter(0, 2).startAfter(1, 1));

        await().until(() -> sink.offsets(0).size() == 1 && sink.reached(1) == 2);
        assertThat(sink.batches(0).getFirst().precedingOffset()).isEqualTo(2);
        assertThat(sink.offsets(0)).containsExactly(3L);
        assertThat(sink.offsets(1)).isEmpty();
    }

    @Test
    void aBucketIsReadAgainFromTheOffsetThatTheSinkSeeks() throws Exception {
        append(0, 3);
        sink.goBackOnce(0, BucketBatch.NOTHING, 2);
        read(sink);

        await().until(() -> sink.offsets(0).size() == 6);
        assertThat(sink.offsets(0)).containsExactly(0L, 1L, 2L, 0L, 1L, 2L);
        assertThat(sink.batches(0).getLast().commands()).isNotEmpty();
        assertThat(sink.batches(0).stream().filter(batch -> batch.precedingOffset() == BucketBatch.NOTHING))
                .hasSize(2);
    }

    @Test
    void aRewindReadsAnIdleBucketAgain() throws Exception {
        append(0, 3);
        append(1, 1);
        read(sink);
        await().until(() -> sink.offsets(0).size() == 3 && sink.offsets(1).size() == 1);

        sink.startAfter(0, 0).silentOnceWhenAsked();
        long reached = sink.reached(0);
        log().rewind(Set.of(0));

        await().until(() -> sink.offsets(0).size() == 5 && sink.reached(0) == reached);
        assertThat(sink.offsets(0)).containsExactly(0L, 1L, 2L, 1L, 2L);
        assertThat(sink.batches(0).getLast().commands().getLast().offset()).isEqualTo(2);
        assertThat(sink.offsets(1)).containsExactly(0L);
    }

    @Test
    void aRewindToTheEndReadsNothingAndReportsTheEnd() throws Exception {
        append(0, 3);
        read(sink);
        await().until(() -> sink.reached(0) == 3);
        sink.startAfter(0, 2).forgetReached();

        log().rewind(Set.of(0, 1));

        await().until(() -> sink.reached(0) == 3);
        assertThat(sink.offsets(0)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aBucketThatTheSinkCannotReadIsPausedAndTheOthersAreRead() throws Exception {
        append(0, 2);
        sink.take(0, false);
        read(sink);
        append(1, 1);
        await().until(() -> sink.offsets(1).size() == 1 && sink.reached(1) == 1);
        assertThat(sink.offsets(0)).isEmpty();

        sink.take(0, true);

        await().until(() -> sink.offsets(0).size() == 2);
        assertThat(sink.batches(0).getFirst().precedingOffset()).isEqualTo(BucketBatch.NOTHING);
        assertThat(sink.offsets(0)).containsExactly(0L, 1L);
    }

    @Test
    void tasksRunOnTheReadingThread() {
        read(sink);

        await().until(() -> sink.tasks() == 1);
    }

    @Test
    void theEndIsReachedAfterACommit() throws Exception {
        append(0, 2);
        commit(1);
        List<Long> ends = log().ends().toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(ends).hasSize(BUCKETS);
        assertThat(ends.get(0)).isEqualTo(2);
        // The transaction marker may be written shortly after the callback is called.
        assertThat(ends.get(1)).isGreaterThanOrEqualTo(1);
        assertThat(ends.get(2)).isEqualTo(0);

        read(sink);

        await().until(() -> sink.reached(0) == ends.get(0) && sink.reached(1) >= ends.get(1));
    }

    @Test
    void deletedCommandsAreNotRead() throws Exception {
        append(0, 5);
        log().deleteBelow(0, 3).toCompletableFuture().get(20, TimeUnit.SECONDS);
        log().deleteBelow(0, 3).toCompletableFuture().get(20, TimeUnit.SECONDS);

        read(sink);

        await().until(() -> sink.offsets(0).size() == 2);
        assertThat(sink.offsets(0)).containsExactly(3L, 4L);
        assertThat(sink.batches(0).getFirst().precedingOffset()).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void theSizeOfALogGrowsWithItsCommands() throws Exception {
        append(0, 1);
        List<Long> before = log().sizes().toCompletableFuture().get(20, TimeUnit.SECONDS);

        append(0, 4);
        List<Long> after = log().sizes().toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(after).hasSameSizeAs(before);
        assertThat(after.get(0)).isGreaterThan(before.get(0)).isPositive();
        assertThat(after.get(1)).isEqualTo(before.get(1));
    }

    @Test
    void aBucketWhoseQueuesAreAheadOfItsLogIsStoppedAndTheOthersAreRead() throws Exception {
        append(0, 1);
        append(1, 1);
        read(sink.startAfter(0, 40));

        await().until(() -> sink.stopped(0) != null && sink.offsets(1).size() == 1);
        assertThat(sink.stopped(0)).contains("ucket 0", "40");
        assertThat(sink.offsets(0)).isEmpty();
        assertThat(sink.stopped(1)).isNull();
    }

    @Test
    void aBucketWhoseQueuesNeedDeletedCommandsIsStopped() throws Exception {
        append(0, 5);
        log().deleteBelow(0, 4).toCompletableFuture().get(20, TimeUnit.SECONDS);
        read(sink.startAfter(0, 1));

        await().until(() -> sink.stopped(0) != null);
        assertThat(sink.offsets(0)).isEmpty();
    }

    @Test
    void aBucketWhoseLogWasTruncatedWhileItWasPositionedIsRead() throws Exception {
        append(0, 5);
        log().deleteBelow(0, 4).toCompletableFuture().get(20, TimeUnit.SECONDS);
        read(sink.startAfter(0, 1).moveWhenAsked(0, 3));

        await().until(() -> sink.offsets(0).size() == 1);
        assertThat(sink.offsets(0)).containsExactly(4L);
        assertThat(sink.stopped(0)).isNull();
    }

    @Test
    void aBucketWhoseLogWasTruncatedWhileItWasReadIsRead() throws Exception {
        append(0, 5);
        sink.take(0, false);
        read(sink.startAfter(0, 0).moveWhenAsked(0, 3));
        await().until(() -> sink.tasks() == 1);
        append(1, 1);
        await().until(() -> sink.offsets(1).size() == 1);

        log().deleteBelow(0, 4).toCompletableFuture().get(20, TimeUnit.SECONDS);
        sink.take(0, true);

        await().until(() -> sink.offsets(0).size() == 1);
        assertThat(sink.offsets(0)).containsExactly(4L);
        assertThat(sink.stopped(0)).isNull();
    }

    @Test
    void aBucketWhoseQueuesSeemedToBeAheadOfItsLogIsRead() throws Exception {
        append(0, 2);
        read(sink.startAfter(0, 40).moveWhenAsked(0, 0));

        await().until(() -> sink.offsets(0).size() == 1);
        assertThat(sink.offsets(0)).containsExactly(1L);
        assertThat(sink.stopped(0)).isNull();
    }

    @Test
    void readingStartsOnlyOnce() {
        read(sink);

        assertThatThrownBy(() -> log().read(sink)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theSinkIsNotCalledAfterReadingHasStopped() throws Exception {
        read(sink);
        append(0, 1);
        await().until(() -> sink.offsets(0).size() == 1);

        log().stopReading();
        append(0, 1);

        assertThat(sink.offsets(0)).hasSize(1);
    }

    private void commit(int bucket) throws InterruptedException {
        RecordingOutcome outcome = new RecordingOutcome();
        List<LogAppend> appends = List.of(new ToBucket(bucket, marker(0)));
        messages().commit(appends, new OrderFence(), outcome);
        assertThat(outcome.await()).isNull();
    }
}
