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
import io.heddle.core.testkit.UnboundedLag;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RollbackDetectorTest {
    private static final QueueBounds BOUNDS = new QueueBounds(10, 10_000, false, 10);

    private final InMemoryDeviceQueues store = new InMemoryDeviceQueues(() -> 1_000);
    private final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
    private final BucketPositions positions = UnboundedLag.positions(3);
    private final InMemoryBucketLog bucketLog = new InMemoryBucketLog(3);
    private final RollbackDetector watch = new RollbackDetector(queues, positions, bucketLog, 3);

    RollbackDetectorTest() {
        for (int bucket = 0; bucket < 3; bucket++) {
            stands(bucket);
            apply(bucket, BucketBatch.NOTHING, 5);
        }
    }

    /** As the writer hears it. */
    private void stands(int bucket) {
        BucketPosition position = store.position(bucket).toCompletableFuture().join();
        positions.stands(bucket, position);
        positions.applied(bucket, position.appliedOffset());
    }

    private void apply(int bucket, long preceding, long offset) {
        BucketBatch batch = new BucketBatch(
                bucket, preceding, List.of(new Logged(offset, new InboundReceived(new ClientId("pump"), 1, 1))));
        assertThat(store.apply(batch, BOUNDS, (_, _) -> PushedUpTo.NOTHING, 0)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(BucketApplied.Done.class);
        stands(bucket);
    }

    private BucketPosition known(int bucket) {
        return Objects.requireNonNull(positions.known(bucket));
    }

    @Test
    void bucketsThatStandWhereTheyStoodAreLeftAlone() {
        watch.compare();

        assertThat(bucketLog.takeDoubted()).isEmpty();
        assertThat(positions.isInStep(0)).isTrue();
    }

    @Test
    void aBucketThatHasForgottenWhereItStoodIsAskedAnewAndNothingReliesOnItMeanwhile() {
        store.losePosition(1);

        watch.compare();

        assertThat(bucketLog.takeDoubted()).containsExactly(1);
        assertThat(positions.isInStep(1)).isFalse();
        assertThat(positions.isInStep(0)).isTrue();
    }

    @Test
    void aBucketThatIsBeingAppliedAgainIsNotDoubtedAgain() {
        store.losePosition(1);
        watch.compare();
        bucketLog.takeDoubted();
        stands(1);

        watch.compare();
        assertThat(bucketLog.takeDoubted()).isEmpty();

        apply(1, BucketBatch.NOTHING, 5);
        watch.compare();
        assertThat(bucketLog.takeDoubted())
                .as("in step, with another incarnation")
                .isEmpty();
        store.losePosition(1);
        watch.compare();
        assertThat(bucketLog.takeDoubted()).as("a second time").containsExactly(1);
    }

    @Test
    void aBucketThatWasBegunAnewIsFoundAlsoWhenNothingWasAppliedToIt() {
        InMemoryDeviceQueues empty = new InMemoryDeviceQueues(() -> 1_000);
        BucketPositions begun = UnboundedLag.positions(1);
        begun.stands(0, empty.position(0).toCompletableFuture().join());
        empty.loseEverything();

        new RollbackDetector(empty, begun, bucketLog, 1).compare();

        assertThat(bucketLog.takeDoubted()).containsExactly(0);
    }

    @Test
    void whatIsAppliedWhileTheAnswerIsOnItsWayIsNoGoingBack() {
        queues.hold();
        watch.compare();
        apply(0, 5, 9);

        queues.release();

        assertThat(bucketLog.takeDoubted()).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerIsAskedTheNextTime() {
        queues.refuse(bucket -> true);
        store.losePosition(1);
        watch.compare();
        assertThat(bucketLog.takeDoubted()).isEmpty();

        queues.heal();
        watch.compare();
        assertThat(bucketLog.takeDoubted()).containsExactly(1);
    }

    @Test
    void whatIsKnownOfABucketNeverGoesBack() {
        BucketPosition before = known(1);
        store.losePosition(1);
        stands(1);

        assertThat(known(1).appliedOffset()).isEqualTo(before.appliedOffset());
        assertThat(known(1).incarnation()).isNotEqualTo(before.incarnation());
        assertThat(store.position(1).toCompletableFuture().join().isBehind(known(1)))
                .as("until it is applied again")
                .isTrue();
    }

    @Test
    void aStoreThatWasAwayIsAskedForAllBuckets() {
        watch.storeReturned();

        assertThat(bucketLog.takeDoubted()).containsExactlyInAnyOrder(0, 1, 2);
    }
}
