package io.heddle.core.client.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EventRateTest {
    private static final long BEGIN = -20;

    @Test
    void eachSecondHasItsOwnEventsAndTheOthersAreCounted() {
        EventRate rate = new EventRate(2, BEGIN);
        long next = BEGIN + TimeUnit.SECONDS.toNanos(1);

        assertThat(rate.tryTake(BEGIN)).isTrue();
        assertThat(rate.tryTake(BEGIN + 10)).isTrue();
        assertThat(rate.tryTake(BEGIN + 10)).isFalse();
        assertThat(rate.tryTake(next - 1)).isFalse();
        assertThat(rate.suppressed()).isEqualTo(2);
        assertThat(rate.tryTake(next)).isTrue();
        assertThat(rate.tryTake(next)).isTrue();
        assertThat(rate.tryTake(next)).isFalse();
        assertThat(rate.suppressed()).isEqualTo(3);
    }
}
