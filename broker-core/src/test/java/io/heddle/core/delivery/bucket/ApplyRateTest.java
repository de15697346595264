package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ApplyRateTest {
    private final ApplyRate rate = new ApplyRate();

    @Test
    void predictsNothingBeforeALargeBatch() {
        rate.record(ApplyRate.SMALLEST_BATCH - 1, 1_000);

        assertThat(rate.millisFor(1_000_000)).isZero();
    }

    @Test
    void predictsFromAllBatchesInProportionToTheirSize() {
        rate.record(100, 10);
        rate.record(300, 10);

        assertThat(rate.millisFor(2_000)).isEqualTo(100);
    }

    @Test
    void forgetsOldBatches() {
        for (int i = 0; i < 100; i++) {
            rate.record(500, 500);
        }
        assertThat(rate.millisFor(1_000)).isEqualTo(1_000);

        for (int i = 0; i < 40; i++) {
            rate.record(500, 5);
        }

        assertThat(rate.millisFor(1_000)).isBetween(10L, 15L);
    }
}
