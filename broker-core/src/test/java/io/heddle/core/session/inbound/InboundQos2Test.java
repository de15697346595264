package io.heddle.core.session.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.testkit.PublishMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InboundQos2Test {
    private final MemoryBudget memory = new MemoryBudget(100_000, new SimpleMeterRegistry());

    @Test
    void behavesLikeASet() {
        long seed = Long.getLong("heddle.test.seed", 20_261_121L);
        Random random = new Random(seed);
        InboundQos2 received = new InboundQos2(memory);
        Set<Integer> expected = new HashSet<>();

        for (int i = 0; i < 200_000; i++) {
            int packetId = 1 + (i % 7 == 0 ? random.nextInt(65_535) : random.nextInt(40));
            assertThat(received.contains(packetId)).as("seed " + seed).isEqualTo(expected.contains(packetId));
            if (expected.add(packetId)) {
                assertThat(received.tryAdd(packetId)).isTrue();
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
        assertThat(memory.chargedBytes()).isZero();
    }

    @Test
    void anIdentifierOfAnEarlierConnectionHasItsNameUntilItIsTakenOrReleased() {
        InboundQos2 received = new InboundQos2(memory);
        received.restore(9, PublishMessages.NAME);
        received.restore(3, PublishMessages.NAME);
        assertThat(received.tryAdd(5)).isTrue();
        assertThat(received.takeName(5)).isNull();

        assertThat(received.remove(9)).isTrue();
        assertThat(received.tryAdd(9)).isTrue();
        assertThat(received.takeName(9)).isNull();
        assertThat(received.takeName(3)).isEqualTo(PublishMessages.NAME);
        assertThat(received.takeName(3)).as("taken").isNull();
        assertThat(received.contains(3)).isTrue();
    }

    @Test
    void identifiersAreChargedUntilTheEnd() {
        InboundQos2 received = new InboundQos2(memory);
        for (int packetId = 1; packetId <= 25_000; packetId++) {
            assertThat(received.tryAdd(packetId)).isTrue();
        }
        assertThat(received.tryAdd(25_001)).isFalse();
        assertThat(received.contains(25_001)).isFalse();

        received.restore(25_001, PublishMessages.NAME);
        assertThat(received.contains(25_001)).as("there before it was charged").isTrue();
        assertThat(memory.chargedBytes()).isEqualTo(100_004 + InboundQos2.NAME_BYTES);

        received.end();
        assertThat(memory.chargedBytes()).isZero();
    }
}
