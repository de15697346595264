package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InboundQos2Test {
    @Test
    void remembersWhatASetRemembers() {
        long seed = Long.getLong("heddle.seed", 20_261_121L);
        Random random = new Random(seed);
        InboundQos2 received = new InboundQos2();
        Set<Integer> expected = new HashSet<>();

        for (int i = 0; i < 200_000; i++) {
            int packetId = 1 + (i % 7 == 0 ? random.nextInt(65_535) : random.nextInt(40));
            assertThat(received.contains(packetId)).as("seed " + seed).isEqualTo(expected.contains(packetId));
            if (expected.add(packetId)) {
                received.add(packetId);
            } else {
                assertThat(received.remove(packetId)).as("seed " + seed).isTrue();
                expected.remove(packetId);
            }
            assertThat(received.remove(0)).isFalse();
        }
        for (int packetId : Set.copyOf(expected)) {
            assertThat(received.remove(packetId)).isTrue();
        }
        assertThat(received.contains(65_535)).isFalse();
    }
}
