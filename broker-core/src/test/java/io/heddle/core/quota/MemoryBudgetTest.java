package io.heddle.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.testkit.PublishMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    private static final long RESERVE = 512 * 4_000;
    private static final long LIMIT = 8 * RESERVE;

    private final MemoryBudget memory = new MemoryBudget(LIMIT, new SimpleMeterRegistry());

    private static PublishMessage message() {
        return PublishMessages.message(new byte[1_000]);
    }

    @Test
    void holdersOfLittleThatAcknowledgeNothingLeaveRoomToAClientThatMakesProgress() {
        memory.take(LIMIT - RESERVE);
        int holders = 0;
        while (memory.tryHold(message(), 0, false)) {
            holders++;
        }
        assertThat(holders).as("they use a part of the reserve").isGreaterThan(100);
        assertThat(memory.takenBytes()).isLessThanOrEqualTo(LIMIT - RESERVE / 2);

        assertThat(memory.tryHold(message(), LIMIT / 10, true)).isTrue();
        assertThat(memory.tryHold(message(), LIMIT / 10, false)).isFalse();
    }

    @Test
    void clientsThatMakeProgressLeaveRoomToNewOnes() {
        memory.take(LIMIT - RESERVE);
        while (memory.tryHold(message(), 10_000, true)) {
            assertThat(memory.takenBytes()).isLessThanOrEqualTo(LIMIT - RESERVE / 4);
        }

        assertThat(memory.hasRoom(RESERVE / 4)).isTrue();
    }

    @Test
    void aHealthyClientGetsAnAcceptedMessageAlsoWhenNewSessionsTookTheRest() {
        memory.take(LIMIT);

        assertThat(memory.tryHold(message(), 1_000, true)).isTrue();
        assertThat(memory.tryHold(message(), 1_000, false)).isFalse();
        while (memory.tryHold(message(), 1_000, true)) {
            assertThat(memory.takenBytes()).isLessThanOrEqualTo(LIMIT + RESERVE / 4);
        }
    }

    @Test
    void manyHoldersOfLittleLeaveRoomToHoldersOfVeryLittleAndTheseToNewSessions() {
        memory.take(LIMIT - RESERVE);
        takeAll(1_000, 2_000);
        assertThat(memory.takenBytes()).isBetween(LIMIT - RESERVE / 2 - 1_000, LIMIT - RESERVE / 2);

        takeAll(100, 0);
        assertThat(memory.takenBytes()).isBetween(LIMIT - RESERVE / 4 - 100, LIMIT - RESERVE / 4);
        assertThat(memory.tryTake(10_000)).as("a new session").isTrue();
    }

    @Test
    void lastingHoldersOfLittleLeaveRoomToNewSessions() {
        long lasting = LIMIT / 4 * 3;
        memory.takeLasting(lasting - RESERVE);
        while (memory.tryTakeLasting(1_000, 2_000)) {
            assertThat(memory.takenBytes()).isLessThan(lasting);
        }

        assertThat(memory.hasRoomForLasting(RESERVE / 2)).isTrue();
        assertThat(memory.tryTakeLasting(100, 0))
                .as("a client that holds very little")
                .isTrue();
    }

    private void takeAll(long bytes, long heldBytes) {
        while (memory.tryTake(bytes, heldBytes)) {
            assertThat(memory.takenBytes()).isLessThan(LIMIT);
        }
    }
}
