package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.UnboundedLag;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RollbackDetectorTest {
    private static final QueueBounds BOUNDS = new QueueBounds(10, 10_000, false, 10);

    private final InMemoryDeviceQueues store = new InMemoryDeviceQueues();
    private final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
    private final BucketPositions positions = UnboundedLag.positions(3);
    private final InMemoryBucketLog bucketLog = new InMemoryBucketLog(3);
    private final RollbackDetector watch = new RollbackDetector(queues, positions, bucketLog);

    RollbackDetectorTest() {
        for (int bucket = 0; bucket < 3; bucket++) {
            recordPosition(bucket);
            apply(bucket, BucketBatch.NOTHING, 5);
        }
    }

    /** Records the present position, as the writer does. */
    private void recordPosition(int bucket) {
        BucketPosition position = store.position(bucket).toCompletableFuture().join();
        positions.recordPosition(bucket, position);
        positions.applied(bucket, position.appliedOffset());
    }

    private void apply(int bucket, long preceding, long offset) {
        BucketBatch batch = new BucketBatch(
                bucket,
                preceding,
                List.of(new Logged(offset, new InboundReceived(new ClientId("pump"), 1, 1, PublishMessages.NAME))));
        assertThat(store.apply(batch, BOUNDS, (_, _) -> PushedUpTo.NOTHING, 0)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(BucketApplied.Done.class);
        recordPosition(bucket);
    }

    private BucketPosition known(int bucket) {
        return Objects.requireNonNull(positions.lastPosition(bucket));
    }

    @Test
    void bucketsThatHaveNotRolledBackAreNotRewound() {
        watch.checkIdleBuckets();

        assertThat(bucketLog.takeDoubted()).isEmpty();
        assertThat(positions.isInStep(0)).isTrue();
    }

    @Test
    void aBucketThatRolledBackIsRewoundAndTasksWaitForItsReplay() {
        store.losePosition(1);

        watch.checkIdleBuckets();

        assertThat(bucketLog.takeDoubted()).containsExactly(1);
        assertThat(positions.isInStep(1)).isFalse();
        assertThat(positions.isInStep(0)).isTrue();
    }

    @Test
    void aBucketThatIsBeingReplayedIsNotRewoundAgain() {
        store.losePosition(1);
        watch.checkIdleBuckets();
        bucketLog.takeDoubted();
        recordPosition(1);

        watch.checkIdleBuckets();
        assertThat(bucketLog.takeDoubted()).isEmpty();

        apply(1, BucketBatch.NOTHING, 5);
        watch.checkIdleBuckets();
        assertThat(bucketLog.takeDoubted()).as("in step, with a new view id").isEmpty();
        store.losePosition(1);
        watch.checkIdleBuckets();
        assertThat(bucketLog.takeDoubted()).as("a second time").containsExactly(1);
    }

    @Test
    void theLossOfABucketIsDetectedEvenIfNothingWasApplied() {
        InMemoryDeviceQueues empty = new InMemoryDeviceQueues();
        BucketPositions begun = UnboundedLag.positions(1);
        begun.recordPosition(0, empty.position(0).toCompletableFuture().join());
        empty.loseEverything();

        new RollbackDetector(empty, begun, bucketLog).checkIdleBuckets();

        assertThat(bucketLog.takeDoubted()).containsExactly(0);
    }

    @Test
    void progressDuringTheQueryIsNoRollback() {
        queues.hold();
        watch.checkIdleBuckets();
        apply(0, 5, 9);

        queues.release();

        assertThat(bucketLog.takeDoubted()).isEmpty();
    }

    @Test
    void aFailedQueryIsRepeatedTheNextTime() {
        queues.refuse(bucket -> true);
        store.losePosition(1);
        watch.checkIdleBuckets();
        assertThat(bucketLog.takeDoubted()).isEmpty();

        queues.heal();
        watch.checkIdleBuckets();
        assertThat(bucketLog.takeDoubted()).containsExactly(1);
    }

    @Test
    void theLastKnownPositionNeverDecreases() {
        BucketPosition before = known(1);
        store.losePosition(1);
        recordPosition(1);

        assertThat(known(1).appliedOffset()).isEqualTo(before.appliedOffset());
        assertThat(known(1).viewId()).isNotEqualTo(before.viewId());
        assertThat(store.position(1).toCompletableFuture().join().isBehind(known(1)))
                .as("until the log is replayed")
                .isTrue();
    }

    @Test
    void allBucketsAreRewoundAfterAnOutage() {
        watch.onStoreReturned();

        assertThat(bucketLog.takeDoubted()).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void onlyHeldBucketsAreCheckedAndRewound() {
        store.losePosition(1);
        store.losePosition(2);
        BucketPosition before = known(1);
        positions.release(1);

        watch.checkIdleBuckets();
        assertThat(bucketLog.takeDoubted()).containsExactly(2);
        watch.onStoreReturned();
        assertThat(bucketLog.takeDoubted()).containsExactlyInAnyOrder(0, 2);

        BucketPosition now = store.position(1).toCompletableFuture().join();
        assertThat(watch.detect(1, before, now))
                .as("its answers are not reliable")
                .isTrue();
        assertThat(bucketLog.takeDoubted()).isEmpty();
    }

    @Test
    void aBucketThatIsReleasedDuringTheQueryIsNotRewound() {
        queues.hold();
        store.losePosition(1);
        watch.checkIdleBuckets();

        positions.release(1);
        queues.release();

        assertThat(bucketLog.takeDoubted()).isEmpty();
    }
}
