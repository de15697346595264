package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class LatenciesTest {
    @Test
    void percentilesArePreciseToThreeDigits() {
        Latencies latencies = new Latencies();
        for (long micros = 1; micros <= 1000; micros++) {
            latencies.record(micros * 1_000);
        }
        assertThat(latencies.millis(50)).isEqualTo(0.5, within(0.001));
        assertThat(latencies.millis(99.9)).isEqualTo(0.999, within(0.001));
        assertThat(latencies.maximumMillis()).isEqualTo(1, within(0.001));
        assertThat(latencies.meanMillis()).isEqualTo(0.5005, within(0.001));
    }

    @Test
    void outOfRangeValuesAreClamped() {
        Latencies latencies = new Latencies();
        latencies.record(-1);
        latencies.record(Long.MAX_VALUE);
        assertThat(latencies.count()).isEqualTo(2);
        assertThat(latencies.millis(0)).isZero();
        assertThat(latencies.maximumMillis()).isGreaterThan(3_599_000);
        latencies.reset();
        assertThat(latencies.count()).isZero();
    }
}
