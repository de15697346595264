package io.heddle.core.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CpuUsageTest {
    private @Nullable Duration used = Duration.ofSeconds(3);
    private long nanos = -5;
    private final CpuUsage usage = new CpuUsage(() -> Optional.ofNullable(used), () -> nanos, 4);

    private void measureAfter(long millis, @Nullable Duration total) {
        nanos += Duration.ofMillis(millis).toNanos();
        used = total;
        usage.measure();
    }

    @Test
    void theUsageIsThatBetweenTheLatestMeasurements() {
        usage.measure();
        assertThat(usage.thousandths()).isNull();

        measureAfter(1_000, Duration.ofSeconds(5));
        assertThat(usage.thousandths()).isEqualTo(500);
        assertThat(usage.thousandths()).as("read again").isEqualTo(500);
        measureAfter(2_000, Duration.ofSeconds(5));
        assertThat(usage.thousandths()).isZero();
        measureAfter(100, Duration.ofSeconds(9));
        assertThat(usage.thousandths()).as("more than all").isEqualTo(1_000);
    }

    @Test
    void withoutATimeOfTheSystemTheUsageIsUnknown() {
        measureAfter(1_000, null);
        measureAfter(1_000, null);

        assertThat(usage.thousandths()).isNull();
    }

    @Test
    void theTimeOfThisProcessIsKnown() {
        CpuUsage own = CpuUsage.ofThisProcess();
        own.measure();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < Duration.ofMillis(200).toNanos()) {
            Thread.onSpinWait();
        }
        own.measure();

        assertThat(own.thousandths()).isPositive();
    }
}
