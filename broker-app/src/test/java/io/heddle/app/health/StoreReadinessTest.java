package io.heddle.app.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

final class StoreReadinessTest {
    // As System.nanoTime may, it wraps.
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

    private void lookAfter(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
        store.look();
    }

    @Test
    void aStoreIsUsableUntilItFailedForAWhile() {
        answers = false;
        lookAfter(5);
        lookAfter(5);
        lookAfter(9);
        assertThat(store.whyUnusable()).isNull();

        lookAfter(1);
        assertThat(store.whyUnusable()).isEqualTo("no answer");
    }

    @Test
    void aBlipDoesNotCountHoweverOftenItComes() {
        for (int i = 0; i < 20; i++) {
            answers = i % 3 == 0;
            lookAfter(5);
            assertThat(store.whyUnusable()).isNull();
        }
    }

    @Test
    void aStoreThatAnswersOnceInAWhileStaysUnusable() {
        answers = false;
        lookAfter(5);
        lookAfter(15);
        for (int i = 0; i < 10; i++) {
            answers = i % 2 == 0;
            lookAfter(5);
            assertThat(store.whyUnusable()).isNotNull();
        }
        answers = true;
        lookAfter(5);
        lookAfter(5);
        assertThat(store.whyUnusable()).isNull();
    }

    @Test
    void theHealthIsTheLatestAnswerAndAsksNobody() {
        StoreHealth health = new StoreHealth(store);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        answers = false;
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        lookAfter(5);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("reason", "no answer");

        answers = true;
        lookAfter(5);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void aCheckThatTakesLongCountsFromItsBeginning() {
        StoreReadiness slow = new StoreReadiness(
                "Kafka",
                () -> {
                    nanos.addAndGet(Duration.ofSeconds(15).toNanos());
                    throw new StoreUnavailableException("no answer", null);
                },
                Duration.ofSeconds(15),
                nanos::get);

        slow.look();

        assertThat(slow.whyUnusable()).isEqualTo("no answer");
    }
}
