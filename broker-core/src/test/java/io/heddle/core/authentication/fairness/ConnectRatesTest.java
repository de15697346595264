package io.heddle.core.authentication.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ConnectRatesTest {
    private static final int BURST = ConnectRates.BURST_SECONDS;

    private long nanos = -1;

    private ConnectRates rates(int ofNode, int ofNetwork) {
        return new ConnectRates(new Limit("node", ofNode), new Limit("network", ofNetwork), () -> nanos);
    }

    private static void assertAccepted(ConnectRates rates, String network, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(rates.exceeded(network)).isNull();
        }
    }

    @Test
    void aNetworkHasItsRateAndWhatItHasNotUsed() {
        ConnectRates rates = rates(0, 5);

        assertAccepted(rates, "a", 5 * BURST);
        assertThat(rates.exceeded("a")).isEqualTo(new Limit("network", 5));
        assertAccepted(rates, "b", 5 * BURST);

        for (int i = 0; i < 20; i++) {
            nanos += Duration.ofMillis(200).toNanos();
            assertAccepted(rates, "a", 1);
            assertThat(rates.exceeded("a")).isNotNull();
        }
        nanos += Duration.ofHours(1).toNanos();
        assertAccepted(rates, "a", 5 * BURST);
        assertThat(rates.exceeded("a")).isNotNull();
    }

    @Test
    void refusedClientsOfANetworkDoNotCountForTheNode() {
        ConnectRates rates = rates(10, 1);

        assertAccepted(rates, "a", BURST);
        for (int i = 0; i < 1_000; i++) {
            assertThat(rates.exceeded("a")).isEqualTo(new Limit("network", 1));
        }
        for (int i = 1; i < 10; i++) {
            assertAccepted(rates, "other-" + i, BURST);
        }
        assertThat(rates.exceeded("another")).isEqualTo(new Limit("node", 10));
    }

    @Test
    void withoutLimitsNobodyIsRefused() {
        assertAccepted(rates(0, 0), "a", 100_000);
    }
}
