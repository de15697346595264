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
    void stalledSmallHoldersLeaveRoomForAClientThatAcknowledges() {
        memory.charge(LIMIT - RESERVE);
        int holders = 0;
        while (memory.tryCharge(message(), 0, ClientProgress.STALLED)) {
            holders++;
        }
        assertThat(holders).as("small holders in the reserve").isGreaterThan(100);
        assertThat(memory.chargedBytes()).isLessThanOrEqualTo(LIMIT - RESERVE / 2);

        assertThat(memory.tryCharge(message(), LIMIT / 10, ClientProgress.ACKNOWLEDGES))
                .isTrue();
        assertThat(memory.tryCharge(message(), LIMIT / 10, ClientProgress.STALLED))
                .isFalse();
    }

    @Test
    void clientsThatAcknowledgeLeaveRoomForNewSessions() {
        memory.charge(LIMIT - RESERVE);
        while (memory.tryCharge(message(), RESERVE / 8, ClientProgress.ACKNOWLEDGES)) {
            assertThat(memory.chargedBytes()).isLessThanOrEqualTo(LIMIT - RESERVE / 4);
        }

        assertThat(memory.hasRoom(RESERVE / 4)).isTrue();
    }

    @Test
    void healthyClientGetsAnAcceptedMessageEvenIfNewSessionsUsedTheReserve() {
        memory.charge(LIMIT);

        assertThat(memory.tryCharge(message(), 1_000, ClientProgress.ACKNOWLEDGES))
                .isTrue();
        assertThat(memory.tryCharge(message(), 1_000, ClientProgress.STALLED)).isFalse();
        while (memory.tryCharge(message(), 1_000, ClientProgress.ACKNOWLEDGES)) {
            assertThat(memory.chargedBytes()).isLessThanOrEqualTo(LIMIT + RESERVE / 4);
        }
    }

    @Test
    void clientThatAcknowledgesIsHealthyWithABacklogOfABusyEventLoop() {
        memory.charge(LIMIT);

        assertThat(memory.tryCharge(message(), RESERVE / 20, ClientProgress.ACKNOWLEDGES))
                .isTrue();
        assertThat(memory.tryCharge(message(), RESERVE / 8, ClientProgress.ACKNOWLEDGES))
                .isFalse();
    }

    @Test
    void newReceiverGetsAcceptedMessages() {
        memory.charge(LIMIT - RESERVE / 8 * 3);

        assertThat(memory.tryCharge(message(), 1_000, ClientProgress.STALLED)).isFalse();
        assertThat(memory.tryCharge(message(), 10_000, ClientProgress.NEW))
                .as("much")
                .isFalse();
        while (memory.tryCharge(message(), 1_000, ClientProgress.NEW)) {
            assertThat(memory.chargedBytes()).isLessThanOrEqualTo(LIMIT - RESERVE / 4);
        }
        assertThat(memory.chargedBytes()).isGreaterThan(LIMIT - RESERVE / 16 * 5);
    }

    @Test
    void greedyHoldersLeaveAPartOfTheReserveForTheNext() {
        memory.charge(LIMIT - RESERVE);
        for (int holder = 0; holder < 1_000; holder++) {
            takeAll(100);
        }

        assertThat(memory.tryCharge(100, 0)).as("the next client").isTrue();
        assertThat(memory.tryCharge(10_000)).as("a new session").isTrue();
        assertThat(memory.chargedBytes()).isBetween(LIMIT - RESERVE + 500_000, LIMIT - RESERVE / 8 * 3);
    }

    @Test
    void smallPersistentHoldersLeaveRoomForNewSessions() {
        long persistent = LIMIT / 4 * 3;
        memory.chargePersistent(persistent - RESERVE);
        for (int holder = 0; holder < 1_000; holder++) {
            for (long held = 0; memory.tryChargePersistent(100, held); held += 100) {
                assertThat(memory.chargedBytes()).isLessThan(persistent);
            }
        }

        assertThat(memory.hasRoomForPersistent(RESERVE / 8 * 3)).isTrue();
        assertThat(memory.tryChargePersistent(100, 0)).as("the next client").isTrue();
    }

    /** Takes all that one consumer can get. */
    private void takeAll(long bytes) {
        for (long held = 0; memory.tryCharge(bytes, held); held += bytes) {
            assertThat(memory.chargedBytes()).isLessThan(LIMIT);
        }
    }
}
