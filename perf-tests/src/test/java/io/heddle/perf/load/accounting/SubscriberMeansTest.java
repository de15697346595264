package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SubscriberMeansTest {
    private final SubscriberMeans means = new SubscriberMeans(4);

    @Test
    void subscribersWithoutMessagesAreIgnored() {
        means.record(0, 1_000_000);
        means.record(0, 3_000_000);
        means.record(1, 4_000_000);
        means.record(3, 20_000_000);

        assertThat(means.millis(0)).isEqualTo(2);
        assertThat(means.millis(50)).isEqualTo(4);
        assertThat(means.millis(100)).isEqualTo(20);
    }

    @Test
    void hasNoFigureWithoutDeliveries() {
        means.record(0, 1_000_000);
        means.reset();

        assertThat(means.millis(50)).isNaN();
    }
}
