package io.heddle.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.testkit.UnboundedLag;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BucketCatchUpTest {
    private static final Duration SILENCE = Duration.ofMillis(50);
    private static final CompletableFuture<List<Long>> ENDS = CompletableFuture.completedFuture(List.of(5L));

    private @Nullable String fault;
    private final Map<Integer, String> blockReasons = new HashMap<>();
    private final BucketPositions positions = UnboundedLag.positions(1);
    private final BucketCatchUp catchUp =
            new BucketCatchUp(positions, () -> fault, blockReasons::get, System::nanoTime);

    @Test
    void endsWhenTheQueuesHaveAppliedTheirLogs() {
        positions.recordPosition(0, new BucketPosition(1, 4));
        positions.applied(0, 4);

        assertThatCode(() -> catchUp.await(ENDS, Set.of(0), SILENCE)).doesNotThrowAnyException();
    }

    @Test
    void waitsForThePositionOfTheQueuesEvenIfTheLogIsEmpty() {
        assertThatThrownBy(() -> catchUp.await(CompletableFuture.completedFuture(List.of(0L)), Set.of(0), SILENCE))
                .isInstanceOf(StartupException.class);
        positions.recordPosition(0, new BucketPosition(1, -1));

        assertThatCode(() -> catchUp.await(CompletableFuture.completedFuture(List.of(0L)), Set.of(0), SILENCE))
                .doesNotThrowAnyException();
    }

    @Test
    void theErrorContainsTheFailureOfTheQueues() {
        fault = "Redis at redis:6379 refused: the view of another log";

        assertThatThrownBy(() -> catchUp.await(ENDS, Set.of(0), SILENCE))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(
                        "Redis at redis:6379 refused: the view of another log",
                        "heddle.kafka.bootstrap-servers",
                        "heddle.redis.url");
    }

    @Test
    void missingAnswersAreReported() {
        assertThatThrownBy(() -> catchUp.await(ENDS, Set.of(0), SILENCE))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("Kafka or Redis did not answer");
    }

    @Test
    void blockedBucketsDelayTheirSessionsButNotTheStart() {
        BucketPositions three = UnboundedLag.positions(3);
        BucketCatchUp some = new BucketCatchUp(three, () -> fault, blockReasons::get, System::nanoTime);
        blockReasons.put(0, "its log ends too early");
        blockReasons.put(1, "WRONGTYPE");
        three.recordPosition(0, new BucketPosition(1, 2));
        three.applied(0, 2);
        CompletableFuture<List<Long>> ends = CompletableFuture.completedFuture(List.of(5L, 5L, 5L));
        assertThatThrownBy(() -> some.await(ends, Set.of(0, 1, 2), SILENCE)).hasMessageContaining("did not answer");
        three.recordPosition(2, new BucketPosition(1, 4));
        three.applied(2, 4);

        assertThatCode(() -> some.await(ends, Set.of(0, 1, 2), SILENCE)).doesNotThrowAnyException();

        AtomicInteger opened = new AtomicInteger();
        three.whenApplied(0, opened::incrementAndGet, () -> {});
        three.whenApplied(1, opened::incrementAndGet, () -> {});
        assertThat(opened).hasValue(0);
        three.whenApplied(2, opened::incrementAndGet, () -> {});
        assertThat(opened).hasValue(1);
    }

    @Test
    void theStartFailsWithTheReasonWhenAllBucketsAreBlocked() {
        blockReasons.put(0, "its log ends too early");

        assertThatThrownBy(() -> catchUp.await(ENDS, Set.of(0), SILENCE))
                .isInstanceOf(StartupException.class)
                .hasMessage("its log ends too early");
    }

    @Test
    void onlyHeldBucketsAreWaitedFor() {
        BucketPositions three = UnboundedLag.positions(3);
        three.release(0);
        three.release(2);
        three.recordPosition(1, new BucketPosition(1, 4));
        three.applied(1, 4);
        CompletableFuture<List<Long>> ends = CompletableFuture.completedFuture(List.of(9L, 5L, 9L));
        BucketCatchUp one = new BucketCatchUp(three, () -> fault, blockReasons::get, System::nanoTime);

        assertThatCode(() -> one.await(ends, Set.of(1), SILENCE)).doesNotThrowAnyException();
        assertThatCode(() -> one.await(ends, Set.of(), SILENCE))
                .as("a node that holds no bucket")
                .doesNotThrowAnyException();
    }
}
