package io.heddle.core.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LoadAverageTest {
    private static final long INTERVAL = Duration.ofSeconds(10).toNanos();

    private final LoadAverage load = new LoadAverage("load", 1_000, 0);

    private Map<String, String> values() {
        Map<String, String> values = new HashMap<>();
        load.addTo(values);
        return values;
    }

    @Test
    void aSteadyRateIsReachedWithinTheTimeOfEachAverage() {
        long total = 1_000;
        // Two a second for one minute.
        for (int i = 1; i <= 6; i++) {
            total += 20;
            load.update(total, i * INTERVAL);
        }

        assertThat(values())
                .containsOnly(
                        Map.entry("load/1min", "75.85"),
                        Map.entry("load/5min", "21.75"),
                        Map.entry("load/15min", "7.74"));
    }

    @Test
    void averagesDoNotDependOnTheInterval() {
        load.update(1_120, 6 * INTERVAL);

        assertThat(values()).containsEntry("load/1min", "75.85").containsEntry("load/15min", "7.74");
    }

    @Test
    void averagesOfAnIdleBrokerFallToZero() {
        load.update(10_000, INTERVAL);
        load.update(10_000, Duration.ofHours(5).toNanos());

        assertThat(values().values()).containsOnly("0.00");
    }

    @Test
    void twoUpdatesAtTheSameTimeAreOne() {
        load.update(10_000, 0);

        assertThat(values().values()).containsOnly("0.00");
    }
}
