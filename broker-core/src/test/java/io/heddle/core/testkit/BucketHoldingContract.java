package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.MessageLog;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract of {@link BucketLog} that concerns holding and releasing buckets. Each test starts with empty logs of {@link
 * #BUCKETS} buckets without a reader.
 */
public abstract class BucketHoldingContract {
    protected static final int BUCKETS = 3;
    private static final Set<Integer> ALL = Set.of(0, 1, 2);

    final RecordingSink sink = new RecordingSink();

    /** The log under test, the same throughout a test. */
    protected abstract BucketLog log();

    /** Writes to the log under test. */
    protected abstract MessageLog messages();

    /** Reads all buckets. */
    void read(RecordingSink to) {
        log().read(to);
        log().hold(ALL);
    }

    @AfterEach
    void stopReading() {
        log().stopReading();
    }

    @Test
    void onlyHeldBucketsAreRead() throws Exception {
        append(0, 2);
        append(1, 2);
        log().read(sink);
        await().until(() -> sink.tasks() == 1);
        assertThat(sink.held()).isEmpty();

        log().hold(Set.of(1));
        await().until(() -> sink.offsets(1).size() == 2);
        log().hold(Set.of(1, 2));
        append(2, 1);

        await().until(() -> sink.offsets(2).size() == 1);
        assertThat(sink.offsets(0)).isEmpty();
        assertThat(sink.held()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void aReleasedBucketIsReadAgainFromThePositionThatItsQueuesHaveThen() throws Exception {
        append(0, 3);
        read(sink);
        await().until(() -> sink.reached(0) == 3);

        released(Set.of(0));
        append(0, 3);
        append(1, 1);
        await().until(() -> sink.offsets(1).size() == 1);
        assertThat(sink.offsets(0)).as("the sink refuses calls for it").hasSize(3);
        sink.startAfter(0, 4);
        log().hold(Set.of(0));

        await().until(() -> sink.offsets(0).size() == 4 && sink.reached(0) == 6);
        assertThat(sink.offsets(0)).containsExactly(0L, 1L, 2L, 5L);
    }

    @Test
    void aBucketWhoseReleaseTheSinkHasNotCompletedIsNotRead() throws Exception {
        append(0, 1);
        read(sink);
        await().until(() -> sink.offsets(0).size() == 1);
        sink.holdReleases();

        CompletableFuture<Void> release = log().release(Set.of(0)).toCompletableFuture();
        await().until(() -> !sink.held().contains(0));
        append(0, 1);
        append(1, 1);
        await().until(() -> sink.offsets(1).size() == 1);
        assertThat(release).isNotDone();
        assertThat(sink.offsets(0)).hasSize(1);

        sink.completeReleases();
        assertThat(release).succeedsWithin(20, TimeUnit.SECONDS);
    }

    @Test
    void aReleaseAndAHoldRightBehindItReadTheBucketAnew() throws Exception {
        append(0, 2);
        read(sink);
        await().until(() -> sink.reached(0) == 2);

        CompletionStage<Void> release = log().release(Set.of(0));
        log().hold(Set.of(0));

        await().until(() -> sink.offsets(0).size() == 4);
        assertThat(release.toCompletableFuture()).isDone();
        assertThat(sink.offsets(0)).containsExactly(0L, 1L, 0L, 1L);
    }

    @Test
    void aStoppedBucketIsReadWhenItIsHeldAgain() throws Exception {
        append(0, 2);
        read(sink.startAfter(0, 40));
        await().until(() -> sink.stopped(0) != null);

        released(Set.of(0));
        sink.startAfter(0, 0);
        log().hold(Set.of(0));

        await().until(() -> sink.offsets(0).size() == 1);
        assertThat(sink.offsets(0)).containsExactly(1L);
    }

    @Test
    void bucketsThatAreNotHeldAreNeitherReleasedNorRewound() throws Exception {
        log().read(sink);
        released(Set.of(0, 1));
        log().hold(Set.of(1));
        log().rewind(Set.of(0, 1));
        append(0, 1);
        append(1, 1);

        await().until(() -> sink.offsets(1).size() == 1);
        assertThat(sink.offsets(0)).isEmpty();
    }

    @Test
    void aReleaseCompletesWhenReadingStops() throws Exception {
        read(sink);
        await().until(() -> sink.held().size() == 3);
        sink.holdReleases();
        CompletionStage<Void> before = log().release(Set.of(0));
        await().until(() -> !sink.held().contains(0));

        log().stopReading();

        assertThat(before.toCompletableFuture()).succeedsWithin(20, TimeUnit.SECONDS);
        assertThat(log().release(Set.of(1)).toCompletableFuture()).succeedsWithin(20, TimeUnit.SECONDS);
    }

    @Test
    void bucketsCannotBeHeldBeforeReadingStarts() {
        assertThatThrownBy(() -> log().hold(Set.of(0))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> log().release(Set.of(0))).isInstanceOf(IllegalStateException.class);
    }

    private void released(Set<Integer> buckets) throws Exception {
        log().release(buckets).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    void append(int bucket, int commands) throws InterruptedException {
        for (int i = 0; i < commands; i++) {
            RecordingOutcome outcome = new RecordingOutcome();
            List<LogAppend> appends = List.of(new ToBucket(bucket, marker(i)));
            messages().append(appends, outcome);
            assertThat(outcome.await()).isNull();
        }
    }

    static BucketCommand marker(int number) {
        return new InboundReceived(new ClientId("pump"), 1, number + 1, PublishMessages.NAME);
    }
}
