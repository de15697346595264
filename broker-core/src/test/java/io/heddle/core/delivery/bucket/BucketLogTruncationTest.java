package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Two buckets, a replay window of ten minutes, a minimum window of two minutes, and logs of at most 4,000 bytes, of which 3,000 are used.
 * Each run uses the sizes measured by the previous one.
 */
final class BucketLogTruncationTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualEventLoop time = new ManualEventLoop(0);
    private final BucketPositions positions = UnboundedLag.positions(2);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final DeletingLog log = new DeletingLog();
    private long freeBytes = StorageRoom.UNKNOWN;
    private final StorageRoom room = new StorageRoom(4_000, 500, () -> freeBytes, metrics);
    private final BucketLogTruncation truncation = new BucketLogTruncation(
            log,
            positions,
            2,
            new TruncationLimits(WINDOW, MINUTE.multipliedBy(2)),
            room,
            new SteadyClock(() -> Instant.EPOCH, time::nanoTime),
            metrics);

    /** Records deletions as bucket:offset. */
    private static final class DeletingLog implements BucketLog {
        private final List<String> deleted = new ArrayList<>();
        private final long[] sizes = new long[2];
        private final long[] ends = new long[2];
        private boolean fails;

        @Override
        public CompletionStage<Void> deleteBelow(int bucket, long offset) {
            deleted.add(bucket + ":" + offset);
            return fails
                    ? CompletableFuture.failedFuture(new StoreUnavailableException("no answer", null))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<List<Long>> sizes() {
            return CompletableFuture.completedFuture(List.of(sizes[0], sizes[1]));
        }

        @Override
        public void read(BucketSink sink) {
            throw isUnused();
        }

        @Override
        public void stopReading() {
            throw isUnused();
        }

        @Override
        public void rewind(Set<Integer> buckets) {
            throw isUnused();
        }

        @Override
        public CompletionStage<List<Long>> ends() {
            return CompletableFuture.completedFuture(List.of(ends[0], ends[1]));
        }

        @Override
        public void hold(Set<Integer> buckets) {
            throw isUnused();
        }

        @Override
        public CompletionStage<Void> release(Set<Integer> buckets) {
            throw isUnused();
        }

        private static UnsupportedOperationException isUnused() {
            return new UnsupportedOperationException("truncation does not read the log");
        }
    }

    private void applied(int bucket, long offset) {
        positions.recordPosition(bucket, new BucketPosition(1, offset));
        positions.applied(bucket, offset);
    }

    private void runFor(int minutes) {
        for (int i = 0; i < minutes; i++) {
            time.advance(MINUTE);
            truncation.run();
        }
    }

    @Test
    void appliedRecordsAreDeletedAfterTheWindow() {
        applied(0, 41);
        truncation.run();
        runFor(9);
        assertThat(log.deleted).isEmpty();

        runFor(1);

        assertThat(log.deleted).containsExactly("0:42");
    }

    @Test
    void theRecordAtThePositionOfTheQueuesStaysInTheLog() {
        applied(0, 41);
        positions.applied(0, 42);

        runFor(12);

        assertThat(log.deleted).containsExactly("0:42");
    }

    @Test
    void aBucketWithUnknownPositionIsNotTruncated() {
        positions.applied(0, 41);

        runFor(12);

        assertThat(log.deleted).isEmpty();
    }

    @Test
    void recordsAreDeletedOnceAndIdleBucketsAreNotTruncated() {
        applied(0, 41);
        runFor(15);
        applied(0, 50);
        applied(1, 3);
        runFor(30);

        assertThat(log.deleted).containsExactly("0:42", "0:51", "1:4");
    }

    @Test
    void queuesThatRolledBackKeepTheirLog() {
        applied(0, 100);
        runFor(5);
        applied(0, 20);
        runFor(1);
        applied(0, 100);

        runFor(6);
        assertThat(log.deleted).containsExactly("0:21");
        runFor(6);
        assertThat(log.deleted).containsExactly("0:21", "0:101");
    }

    @Test
    void failedDeletionsAreCountedAndRetriedLater() {
        log.fails = true;
        applied(0, 41);
        runFor(12);
        assertThat(metrics.counter("heddle.buckets.truncation.failures").count())
                .isOne();

        applied(0, 42);
        runFor(12);

        assertThat(log.deleted).containsExactly("0:42", "0:43");
    }

    /** Appends a record to a bucket. */
    private void append(int bucket, long bytes) {
        positions.appended(bucket, positions.appendedOffset(bucket) + 1, Math.toIntExact(bytes), 1);
        log.sizes[bucket] += bytes;
    }

    private void apply(int bucket) {
        applied(bucket, positions.appendedOffset(bucket));
    }

    /** Appends and applies one record of this size in each minute. */
    private void writeFor(int minutes, long bytes) {
        for (int i = 0; i < minutes; i++) {
            append(0, bytes);
            apply(0);
            runFor(1);
        }
    }

    @Test
    void theOldestAppliedRecordsAreDeletedEarlierWhenTheLogsAreTooLarge() {
        writeFor(5, 500);
        assertThat(log.deleted).isEmpty();

        writeFor(4, 500);

        assertThat(log.deleted).isNotEmpty().allMatch(deletion -> deletion.startsWith("0:"));
        assertThat(room.keptBytes()).isBetween(2_000L, 3_000L);
        assertThat(room.isExhausted()).isFalse();
        assertThat(metrics.get("heddle.buckets.replay.window").gauge().value()).isBetween(4 * 60.0, 7 * 60.0);
    }

    @Test
    void unappliedRecordsAreKeptAndPublishesAreRefused() {
        append(0, 100);
        apply(0);
        for (int i = 0; i < 9; i++) {
            append(0, 500);
            runFor(1);
        }
        runFor(1);

        assertThat(log.deleted).containsOnly("0:1");
        assertThat(room.isExhausted()).isTrue();

        runFor(15);
        assertThat(log.deleted).containsOnly("0:1");
        assertThat(room.keptBytes()).isGreaterThanOrEqualTo(4_500);

        apply(0);
        runFor(4);
        assertThat(log.deleted).last().isEqualTo("0:10");
        assertThat(room.isExhausted()).isFalse();
    }

    @Test
    void recordsWithinTheMinimumWindowStay() {
        runFor(10);
        append(0, 5_000);
        apply(0);
        runFor(2);
        assertThat(log.deleted).isEmpty();
        assertThat(room.isExhausted()).isTrue();

        runFor(2);

        assertThat(log.deleted).containsExactly("0:1");
        assertThat(room.isExhausted()).isFalse();
    }

    @Test
    void aFullDiskTruncatesTheLogsBeforePublishesAreRefused() {
        freeBytes = 2_000;
        writeFor(5, 200);
        assertThat(log.deleted).isEmpty();

        freeBytes = 600;
        runFor(1);

        assertThat(log.deleted).isNotEmpty();
        assertThat(room.keptBytes()).isBetween(300L, 600L);
        assertThat(room.isExhausted()).isFalse();
    }

    @Test
    void segmentsFreedByKafkaDoNotCountAsRoom() {
        writeFor(8, 500);
        log.sizes[0] -= 1_000;

        writeFor(4, 500);

        assertThat(room.keptBytes()).isBetween(2_000L, 3_000L);
    }

    @Test
    void aNodeThatHasReleasedABucketDeletesNothingOfIt() {
        applied(0, 41);
        applied(1, 41);
        truncation.run();
        positions.release(0);

        runFor(30);

        assertThat(log.deleted).containsExactly("1:42");
    }

    @Test
    void notesOfAnEarlierHoldingDoNotCount() {
        applied(0, 41);
        runFor(5);
        positions.release(0);
        positions.hold(0);
        applied(0, 50);

        runFor(10);
        assertThat(log.deleted)
                .as("the queues may have rolled back in another node")
                .isEmpty();
        runFor(1);

        assertThat(log.deleted).containsExactly("0:51");
    }

    @Test
    void theLogOfABucketOfAnotherNodeCountsWithItsSize() {
        positions.release(1);
        append(0, 1_000);
        apply(0);
        log.sizes[1] = 1_500;
        runFor(2);
        assertThat(room.keptBytes()).isEqualTo(2_500);

        log.sizes[1] = 500;
        runFor(2);
        assertThat(log.deleted).isEmpty();
        assertThat(room.keptBytes()).as("the other node has deleted records").isEqualTo(1_500);

        positions.hold(1);
        applied(1, 80);
        log.sizes[1] = 700;
        runFor(2);
        assertThat(room.keptBytes()).isEqualTo(1_700);
    }

    @Test
    void recordsThatOtherNodesAppendedAreNotCountedAsApplied() {
        append(0, 1_000);
        apply(0);
        runFor(1);
        log.sizes[0] += 4_000;
        log.ends[0] = 100;

        runFor(12);

        assertThat(log.deleted).containsOnly("0:1");
        assertThat(room.keptBytes()).isGreaterThanOrEqualTo(4_000);
        assertThat(room.isExhausted()).isTrue();
        applied(0, 99);
        runFor(4);
        assertThat(log.deleted).last().isEqualTo("0:100");
        assertThat(room.isExhausted()).isFalse();
    }
}
