package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PhasesTest {
    @Test
    void latencyBelongsToThePhaseInWhichItStarted() {
        Phases phases = new Phases(2);
        PhasedLatencies latencies = new PhasedLatencies(phases);
        latencies.record(50, 60);
        phases.begin(100);
        assertThat(phases.of(99)).isEqualTo(Phases.NONE);
        phases.begin(200);
        latencies.record(90, 210);
        latencies.record(150, 5_000_150);
        latencies.record(200, 1_000_200);
        assertThat(latencies.of(0).count()).isEqualTo(1);
        assertThat(latencies.of(0).maximumMillis()).isBetween(4.9, 5.1);
        assertThat(latencies.of(1).count()).isEqualTo(1);
        assertThat(latencies.of(1).maximumMillis()).isBetween(0.9, 1.1);
    }
}
