package io.heddle.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

final class MemoryAccountTest {
    private final MemoryBudget budget = new MemoryBudget(100, 25, new SimpleMeterRegistry());
    private final MemoryAccount away = new MemoryAccount(budget);
    private final MemoryAccount there = new MemoryAccount(budget);

    @Test
    void absentClientsFillTheirShareAndTheOthersTheRest() {
        away.clientGone();

        assertThat(away.tryTake(75)).isTrue();
        assertThat(away.tryTake(1)).isFalse();
        assertThat(budget.hasRoomForAbsent(1)).isFalse();
        assertThat(budget.hasRoom(25)).isTrue();
        assertThat(there.tryTake(25)).isTrue();
        assertThat(there.tryTake(1)).isFalse();
        assertThat(budget.takenBytes()).isEqualTo(100);
        away.giveBack(75);
        there.giveBack(25);
        assertThat(budget.takenBytes()).isZero();
        assertThat(budget.hasRoomForAbsent(75)).isTrue();
    }

    @Test
    void absentClientsGetNothingWhenTheOthersHaveTakenEverything() {
        away.clientGone();
        assertThat(there.tryTake(100)).isTrue();

        assertThat(away.tryTake(1)).isFalse();
        there.giveBack(100);
        assertThat(away.tryTake(75)).isTrue();
    }

    @Test
    void whatAClientLeavesCountsAmongTheAbsentUntilItIsBack() {
        there.adopt(0);
        assertThat(there.tryTake(90)).isTrue();
        assertThat(there.isOverdrawn()).isFalse();

        there.clientGone();
        there.clientGone();
        assertThat(there.isOverdrawn()).isTrue();
        there.giveBack(15);
        assertThat(there.isOverdrawn()).isFalse();
        assertThat(there.tryTake(1)).isFalse();
        there.clientBack();

        assertThat(budget.hasRoomForAbsent(25)).isTrue();
        assertThat(there.tryTake(25)).isTrue();
    }
}
