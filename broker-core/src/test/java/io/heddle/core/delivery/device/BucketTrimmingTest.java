package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.message.SteadyClock;
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

/** Two buckets, a replay window of ten minutes. */
final class BucketTrimmingTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualEventLoop time = new ManualEventLoop(0);
    private final BucketPositions positions = UnboundedLag.positions(2);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final DeletingLog log = new DeletingLog();
    private final BucketTrimming trimming = new BucketTrimming(
            log, positions, 2, WINDOW, new SteadyClock(() -> Instant.EPOCH, time::nanoTime), metrics);

    /** Remembers what was to be deleted, as bucket:offset. */
    private static final class DeletingLog implements BucketLog {
        private final List<String> deleted = new ArrayList<>();
        private boolean fails;

        @Override
        public CompletionStage<Void> deleteBelow(int bucket, long offset) {
            deleted.add(bucket + ":" + offset);
            return fails
                    ? CompletableFuture.failedFuture(new StoreUnavailableException("no answer", null))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public void read(BucketSink sink) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void stopReading() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void rewind(Set<Integer> buckets) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<Long>> ends() {
            throw new UnsupportedOperationException();
        }
    }

    private void runFor(int minutes) {
        for (int i = 0; i < minutes; i++) {
            time.advance(MINUTE);
            trimming.run();
        }
    }

    @Test
    void whatIsAppliedIsDeletedWhenTheWindowIsOver() {
        positions.applied(0, 41);
        trimming.run();
        runFor(9);
        assertThat(log.deleted).isEmpty();

        runFor(1);

        assertThat(log.deleted).containsExactly("0:42");
    }

    @Test
    void nothingIsDeletedTwiceAndNothingOfABucketThatStandsStill() {
        positions.applied(0, 41);
        runFor(15);
        positions.applied(0, 50);
        positions.applied(1, 3);
        runFor(30);

        assertThat(log.deleted).containsExactly("0:42", "0:51", "1:4");
    }

    @Test
    void queuesThatWentBackKeepTheirLog() {
        positions.applied(0, 100);
        runFor(5);
        positions.applied(0, 20);
        runFor(1);
        positions.applied(0, 100);

        runFor(6);
        assertThat(log.deleted).containsExactly("0:21");
        runFor(6);
        assertThat(log.deleted).containsExactly("0:21", "0:101");
    }

    @Test
    void aLogThatDoesNotAnswerIsCountedAndAskedAgainLater() {
        log.fails = true;
        positions.applied(0, 41);
        runFor(12);
        assertThat(metrics.counter("heddle.buckets.trim.failures").count()).isOne();

        positions.applied(0, 42);
        runFor(12);

        assertThat(log.deleted).containsExactly("0:42", "0:43");
    }
}
