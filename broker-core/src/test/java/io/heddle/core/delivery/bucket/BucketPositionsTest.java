package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.bucket.BucketPositions.Hold;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BucketPositionsTest {
    private final BucketPositions positions = UnboundedLag.positions(2);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private long millis;
    private final List<String> ran = new ArrayList<>();

    @Test
    void withoutAppendsNoTaskWaits() {
        positions.whenApplied(0, () -> ran.add("now"), () -> {});

        assertThat(ran).containsExactly("now");
    }

    @Test
    void aTaskRunsWhenTheAppendedCommandsAreApplied() {
        positions.appended(0, 5, 1, 1);
        positions.whenApplied(0, () -> ran.add("five"), () -> {});
        positions.applied(0, 4);
        assertThat(ran).isEmpty();

        positions.applied(0, 5);
        assertThat(ran).containsExactly("five");
        positions.applied(0, 6);
        assertThat(ran).containsExactly("five");
    }

    @Test
    void aTaskDoesNotWaitForLaterAppends() {
        positions.appended(0, 5, 1, 1);
        positions.whenApplied(0, () -> ran.add("five"), () -> {});
        positions.appended(0, 9, 1, 1);
        positions.whenApplied(0, () -> ran.add("nine"), () -> {});

        positions.applied(0, 7);
        assertThat(ran).containsExactly("five");
        positions.applied(0, 20);
        assertThat(ran).containsExactly("five", "nine");
    }

    @Test
    void appendsOutOfOrderDoNotLowerTheAwaitedOffset() {
        positions.appended(0, 9, 1, 1);
        positions.appended(0, 5, 1, 1);
        positions.whenApplied(0, () -> ran.add("nine"), () -> {});

        positions.applied(0, 5);
        assertThat(ran).isEmpty();
        assertThat(positions.appendedOffset(0)).isEqualTo(9);
    }

    @Test
    void bucketsAreIndependentOfEachOther() {
        positions.appended(1, 3, 1, 1);
        positions.whenApplied(0, () -> ran.add("other"), () -> {});

        assertThat(ran).containsExactly("other");
        assertThat(positions.appliedOffset(1)).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void afterARollbackTasksWaitForTheReplay() {
        positions.appended(0, 5, 1, 1);
        positions.applied(0, 5);
        positions.applied(0, 2);
        positions.whenApplied(0, () -> ran.add("again"), () -> {});
        assertThat(ran).isEmpty();

        positions.applied(0, 5);
        assertThat(ran).containsExactly("again");
    }

    @Test
    void aTaskMayWaitAgain() {
        positions.appended(0, 1, 1, 1);
        positions.whenApplied(
                0,
                () -> {
                    positions.appended(0, 2, 1, 1);
                    positions.whenApplied(0, () -> ran.add("second"), () -> {});
                },
                () -> {});

        positions.applied(0, 1);
        assertThat(ran).isEmpty();
        positions.applied(0, 2);
        assertThat(ran).containsExactly("second");
    }

    @Test
    void everyTaskRunsOnceWhileThreadsAppendAndApply() throws Exception {
        int tasks = 5_000;
        CountDownLatch all = new CountDownLatch(tasks);
        try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
            for (int thread = 0; thread < 2; thread++) {
                int first = thread;
                executor.execute(() -> {
                    for (int i = first; i < tasks; i += 2) {
                        positions.appended(0, i, 1, 1);
                        positions.whenApplied(0, all::countDown, () -> {});
                    }
                });
            }
            executor.execute(() -> {
                for (int i = 0; i < tasks; i++) {
                    positions.applied(0, i);
                }
            });
        }
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void lagIsTheAgeOfTheOldestUnappliedCommandAndTheBytesOfAll() {
        BucketPositions bounded = bounded();
        bounded.appended(0, 1, 100, 1);
        millis += 30;
        bounded.appended(0, 2, 200, 1);
        millis += 10;

        assertThat(bounded.lagMillis(0)).isEqualTo(40);
        assertThat(bounded.lagBytes(0)).isEqualTo(300);
        bounded.applied(0, 1);
        assertThat(bounded.lagMillis(0)).isEqualTo(10);
        assertThat(bounded.lagBytes(0)).isEqualTo(200);
        bounded.applied(0, 2);
        assertThat(bounded.lagMillis(0)).isZero();
        assertThat(bounded.lagBytes(0)).isZero();
    }

    @Test
    void aCommandAppliedBeforeItsAppendIsAcknowledgedIsNoLag() {
        BucketPositions bounded = bounded();
        bounded.applied(0, 7);
        bounded.appended(0, 7, 100, 1);

        assertThat(bounded.lagBytes(0)).isZero();
    }

    @Test
    void aLagOfAnyLengthTakesFewIntervals() {
        BucketPositions bounded = bounded();
        for (int offset = 0; offset < 100_000; offset++) {
            bounded.appended(0, offset, 1, 1);
            millis += 10;
        }

        assertThat(bounded.lagMillis(0)).isEqualTo(1_000_000);
        assertThat(bounded.lagBytes(0)).isEqualTo(100_000);
        bounded.applied(0, 49_999);
        assertThat(bounded.lagBytes(0)).isBetween(50_000L, 55_000L);
        bounded.applied(0, 99_999);
        assertThat(bounded.lagBytes(0)).isZero();
    }

    @Test
    void aBucketLagsAboveItsTargetAgeUntilItHasCaughtUp() {
        BucketPositions bounded = bounded();
        bounded.appended(0, 1, 100, 1);
        millis += 51;
        bounded.appended(0, 2, 100, 1);
        assertThat(bounded.isLagging(0)).isTrue();
        assertThat(bounded.isLagging(1)).isFalse();
        assertThat(bounded.isAnyLagging()).isTrue();
        bounded.whenCaughtUp(new BucketPositions.Backlog(0, 2), () -> ran.add("two"));
        bounded.appended(0, 3, 100, 1);
        bounded.whenCaughtUp(new BucketPositions.Backlog(0, 3), () -> ran.add("three"));
        bounded.whenCaughtUp(new BucketPositions.Backlog(0, 3), () -> ran.add("gone"))
                .cancel();
        millis += 51;

        bounded.applied(0, 2);
        assertThat(ran).containsExactly("two");
        bounded.applied(0, 3);

        assertThat(ran).containsExactly("two", "three");
        assertThat(bounded.isAnyLagging()).isFalse();
    }

    @Test
    void whileTheQueuesAreStalledOnlyTheBytesDelayPublishers() {
        BucketPositions bounded = bounded();
        bounded.appended(0, 1, 100, 1);
        millis += 51;
        bounded.appended(0, 2, 100, 1);
        bounded.whenCaughtUp(new BucketPositions.Backlog(0, 2), () -> ran.add("released"));

        bounded.onStalled(0);

        assertThat(ran).containsExactly("released");
        bounded.appended(0, 3, 900, 1);
        assertThat(bounded.isLagging(0)).isTrue();
        assertThat(bounded.isFull(0)).isFalse();
        bounded.appended(0, 4, 1_000, 1);
        assertThat(bounded.isFull(0)).isTrue();
        assertThat(bounded.isAnyFull()).isTrue();
        bounded.applied(0, 4);
        assertThat(bounded.isAnyFull()).isFalse();
    }

    @Test
    void aBucketLagsWhenItsEstimatedTimeExceedsTheTarget() {
        BucketPositions bounded = bounded();
        bounded.recordApplied(0, 100, 20);

        bounded.appended(0, 1, 1, 250);
        assertThat(bounded.isLagging(0)).isFalse();
        bounded.appended(0, 2, 1, 10);
        assertThat(bounded.isLagging(0)).isTrue();
        bounded.applied(0, 2);
        assertThat(bounded.isLagging(0)).isFalse();
    }

    @Test
    void stalledQueuesHaveNoEstimatedTime() {
        BucketPositions bounded = bounded();
        bounded.recordApplied(0, 100, 20);
        bounded.appended(0, 1, 1, 1_000);
        assertThat(bounded.isLagging(0)).isTrue();

        bounded.onStalled(0);

        assertThat(bounded.isLagging(0)).isFalse();
    }

    @Test
    void aStoppedBucketDelaysNoPublisherAndRefusesPublishesAboveItsLimit() {
        BucketPositions bounded = bounded();
        bounded.onStopped(0);

        bounded.appended(0, 1, 1_000, 1);
        assertThat(bounded.isLagging(0)).isFalse();
        bounded.appended(0, 2, 1, 1);
        assertThat(bounded.isFull(0)).isTrue();
    }

    @Test
    void aBucketThatIsNotHeldDelaysAndRefusesNothing() {
        BucketPositions bounded = bounded();
        bounded.release(0);

        bounded.appended(0, 7, 1_000_000, 1);
        millis = 10_000;

        assertThat(bounded.isAnyLagging()).isFalse();
        assertThat(bounded.isAnyFull()).isFalse();
        Backlog backlog = new Backlog(0, 7);
        assertThat(bounded.isBehind(backlog)).isFalse();
        bounded.whenCaughtUp(backlog, () -> ran.add("at once"));
        assertThat(ran).containsExactly("at once");
        assertThat(bounded.appendedOffset(0)).isEqualTo(7);
        assertThat(bounded.describe(0)).isEqualTo("bucket 0 is not held by this node");
    }

    @Test
    void publishersStopWaitingForABucketThatIsReleased() {
        BucketPositions bounded = bounded();
        bounded.appended(0, 7, 3_000, 1);
        assertThat(bounded.isFull(0)).isTrue();
        bounded.whenCaughtUp(new Backlog(0, 7), () -> ran.add("released"));
        assertThat(ran).isEmpty();

        bounded.release(0);

        assertThat(ran).containsExactly("released");
        assertThat(bounded.isAnyFull()).isFalse();
        assertThat(bounded.isAnyLagging()).isFalse();
        assertThat(metrics.get("heddle.buckets.lag.publishers").gauge().value()).isZero();
    }

    @Test
    void nothingIsRememberedOfAnEarlierHolding() {
        BucketPositions bounded = bounded();
        bounded.recordPosition(0, new BucketPosition(1, 7));
        bounded.applied(0, 7);
        bounded.onStopped(0);
        bounded.release(0);
        bounded.applied(0, 9);
        bounded.recordPosition(0, new BucketPosition(1, 9));
        bounded.hold(0);

        assertThat(bounded.lastPosition(0)).isNull();
        assertThat(bounded.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);
        bounded.appended(0, 10, 1_500, 1);
        assertThat(bounded.isFull(0)).as("a stopped bucket would be").isFalse();
        assertThat(bounded.isLagging(0)).isTrue();
        bounded.applied(0, 10);
        assertThat(bounded.isLagging(0)).isFalse();
    }

    @Test
    void aTaskWaitsForTheOwnAppendsOfTheTimeBeforeTheHolding() {
        BucketPositions bounded = bounded();
        bounded.release(0);
        bounded.appended(0, 7, 1, 1);
        bounded.hold(0);
        bounded.applied(0, 5);

        bounded.whenApplied(0, () -> ran.add("applied"), () -> ran.add("released"));
        assertThat(ran).isEmpty();
        bounded.applied(0, 7);

        assertThat(ran).containsExactly("applied");
    }

    @Test
    void aCancelledTaskIsNotToldOfTheRelease() {
        positions.appended(0, 7, 1, 1);
        Hold hold = positions.whenApplied(0, () -> ran.add("applied"), () -> ran.add("released"));

        hold.cancel();
        positions.release(0);

        assertThat(ran).isEmpty();
        assertThat(hold.isDone()).isTrue();
    }

    private BucketPositions bounded() {
        BucketPositions bounded = new BucketPositions(
                2,
                new LagBounds(Duration.ofMillis(50), 1_000),
                new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> TimeUnit.MILLISECONDS.toNanos(millis)),
                metrics);
        bounded.hold(0);
        bounded.hold(1);
        return bounded;
    }
}
