package io.heddle.app.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

final class StoreReadinessTest {
    // Wraps, as System.nanoTime may.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private boolean answers = true;
    private final StoreReadiness store = new StoreReadiness(
            "Redis",
            () -> {
                if (!answers) {
                    throw new StoreUnavailableException("no answer", null);
                }
            },
            Duration.ofSeconds(15),
            nanos::get);

    private void checkAfter(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
        store.check();
    }

    @Test
    void aStoreIsUsableUntilItHasFailedForAWhile() {
        answers = false;
        checkAfter(5);
        checkAfter(5);
        checkAfter(9);
        assertThat(store.unusableReason()).isNull();

        checkAfter(1);
        assertThat(store.unusableReason()).isEqualTo("no answer");
    }

    @Test
    void shortFailuresDoNotCountHoweverOftenTheyOccur() {
        for (int i = 0; i < 20; i++) {
            answers = i % 3 == 0;
            checkAfter(5);
            assertThat(store.unusableReason()).isNull();
        }
    }

    @Test
    void aStoreThatRespondsOnlyOccasionallyStaysUnusable() {
        answers = false;
        checkAfter(5);
        checkAfter(15);
        for (int i = 0; i < 10; i++) {
            answers = i % 2 == 0;
            checkAfter(5);
            assertThat(store.unusableReason()).isNotNull();
        }
        answers = true;
        checkAfter(5);
        checkAfter(5);
        assertThat(store.unusableReason()).isNull();
    }

    @Test
    void theHealthIsTheResultOfTheLatestCheck() {
        StoreHealth health = new StoreHealth(store::lastFailure);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        answers = false;
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        checkAfter(5);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("reason", "no answer");

        answers = true;
        checkAfter(5);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void aLongCheckCountsFromItsStart() {
        StoreReadiness slow = new StoreReadiness(
                "Kafka",
                () -> {
                    nanos.addAndGet(Duration.ofSeconds(15).toNanos());
                    throw new StoreUnavailableException("no answer", null);
                },
                Duration.ofSeconds(15),
                nanos::get);

        slow.check();

        assertThat(slow.unusableReason()).isEqualTo("no answer");
    }
}
