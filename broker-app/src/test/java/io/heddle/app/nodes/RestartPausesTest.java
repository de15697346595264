package io.heddle.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RestartPausesTest {
    private final RestartPauses pauses = new RestartPauses(Duration.ofSeconds(5));

    private List<Long> failedStarts(int count) {
        return Stream.generate(pauses::afterFailedStart)
                .limit(count)
                .map(Duration::toSeconds)
                .toList();
    }

    @Test
    void thePausesGrowWithEachFailedStartUpToAMinute() {
        assertThat(pauses.afterRun()).hasSeconds(5);
        assertThat(failedStarts(6)).containsExactly(10L, 20L, 40L, 60L, 60L, 60L);
    }

    @Test
    void theyBeginAgainAfterTheNodeHasServed() {
        assertThat(failedStarts(3)).containsExactly(5L, 10L, 20L);

        assertThat(pauses.afterRun()).hasSeconds(5);
        assertThat(failedStarts(1)).containsExactly(10L);
    }
}
