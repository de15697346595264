package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.persistence.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StartDeadlineTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final StartDeadline deadline = StartDeadline.after(Duration.ofSeconds(15), nanos::get);

    private void pass(long seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void aKafkaWithoutProgressIsWaitedForDuringTheConnectTimeout() {
        pass(14);
        assertThat(deadline.isOver()).isFalse();

        pass(1);
        assertThat(deadline.isOver()).isTrue();
    }

    @Test
    void aStartThatMakesProgressMayTakeLongerThanTheConnectTimeout() {
        for (int step = 0; step < 5; step++) {
            pass(14);
            assertThat(deadline.isOver()).isFalse();
            deadline.onProgress("heddle.buckets");
            assertThat(deadline.remainingNanos())
                    .isEqualTo(Duration.ofSeconds(15).toNanos());
        }
    }

    @Test
    void aKafkaThatAnswersForEverIsNotWaitedForForEver() {
        for (int step = 0; step < 30; step++) {
            assertThat(deadline.isOver()).isFalse();
            pass(10);
            deadline.onProgress("the creation of heddle.buckets");
        }
        assertThat(deadline.isOver()).isTrue();
    }

    @Test
    void aLongWaitIsExplainedOnce() {
        try (LogCapture log = LogCapture.of(StartDeadline.class)) {
            pass(10);
            deadline.onProgress("heddle.buckets");
            assertThat(log.events()).isEmpty();

            pass(10);
            deadline.onProgress("heddle.clients");
            pass(10);
            deadline.onProgress("heddle.retained");

            assertThat(log.events()).singleElement().satisfies(line -> {
                assertThat(line.getFormattedMessage())
                        .startsWith("Kafka is slow; the start waits as long as Kafka makes progress")
                        .contains("seconds=20", "completed=heddle.clients");
                assertThat(line.getMarkerList()).isEqualTo(List.of(StartupPhase.WAITING));
            });
        }
    }
}
