package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class BucketsTest {
    @Test
    void bucketsOfKnownClientsNeverChange() {
        // Stored data depends on these values. A test in broker-persistence compares the hash with Kafka's.
        Buckets buckets = new Buckets(16);

        assertThat(buckets.of(new ClientId("pump-1"))).isEqualTo(15);
        assertThat(buckets.of(new ClientId("a"))).isEqualTo(12);
        assertThat(buckets.of(new ClientId("vänt-7"))).isEqualTo(10);
    }

    @Test
    void clientsAreSpreadEvenly() {
        Buckets buckets = new Buckets(16);
        int[] clients = new int[buckets.count()];
        for (int i = 0; i < 16_000; i++) {
            clients[buckets.of(new ClientId("device-" + i))]++;
        }

        assertThat(Arrays.stream(clients)).allSatisfy(count -> assertThat(count).isBetween(850, 1_150));
    }

    @Test
    void zeroBucketsAreRejected() {
        assertThatThrownBy(() -> new Buckets(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bucket count is 0: use 1 or more");
    }
}
