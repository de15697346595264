package io.heddle.app;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketSink;
import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BucketCatchUpTest {
    private static final Duration SILENCE = Duration.ofMillis(50);
    private static final CompletableFuture<List<Long>> ENDS = CompletableFuture.completedFuture(List.of(5L));

    private final Sink sink = new Sink();
    private final BucketCatchUp catchUp = new BucketCatchUp(sink, 1);

    @Test
    void itIsThereWhenTheQueuesAre() {
        sink.appliedOffset = 4;
        catchUp.appliedOffset(0);

        assertThatCode(() -> catchUp.await(ENDS, SILENCE)).doesNotThrowAnyException();
    }

    @Test
    void whatTheQueuesRefuseIsInTheSentence() {
        sink.refusal = "Redis at redis:6379 refused: the view of another log";
        assertThatThrownBy(() -> catchUp.appliedOffset(0)).isInstanceOf(StoreUnavailableException.class);

        assertThatThrownBy(() -> catchUp.await(ENDS, SILENCE))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(
                        "Redis at redis:6379 refused: the view of another log",
                        "heddle.kafka.bootstrap-servers",
                        "heddle.redis.url");
    }

    @Test
    void silenceIsToldAsSuch() {
        assertThatThrownBy(() -> catchUp.await(ENDS, SILENCE))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("Kafka or Redis did not answer");
    }

    @Test
    void aBucketThatIsStoppedEndsTheStartWithItsReason() {
        catchUp.stopped(0, "its log ends too early");

        assertThatThrownBy(() -> catchUp.await(ENDS, SILENCE))
                .isInstanceOf(StartupException.class)
                .hasMessage("its log ends too early");
    }

    /** Stands where the test says. */
    private static final class Sink implements BucketSink {
        private long appliedOffset = BucketBatch.NOTHING;
        private @Nullable String refusal;

        @Override
        public long appliedOffset(int bucket) {
            if (refusal != null) {
                throw new StoreUnavailableException(refusal, null);
            }
            return appliedOffset;
        }

        @Override
        public Map<Integer, Long> appliedOffsets(Set<Integer> buckets) {
            return Map.of();
        }

        @Override
        public Map<Integer, Long> apply(List<BucketBatch> batches) {
            return Map.of();
        }

        @Override
        public void reached(int bucket, long nextOffset) {
            throw new AssertionError("nothing is read");
        }

        @Override
        public void stopped(int bucket, String reason) {
            // The start hears of it.
        }
    }
}
