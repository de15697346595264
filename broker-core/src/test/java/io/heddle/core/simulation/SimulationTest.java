package io.heddle.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs the simulation with many seeds. {@code -Dheddle.test.seed} replays one, {@code -Dheddle.test.seeds} sets their number. */
final class SimulationTest {
    private static final Set<Mistake> NONE = EnumSet.noneOf(Mistake.class);

    @Test
    void noPromiseIsBroken() {
        assertThat(new SimulationRunner(NONE).run(Integer.getInteger("heddle.test.seeds", 100)))
                .isEmpty();
    }

    @Test
    void aSeedTakesTheSameStepsAgain() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new Simulation(seed, NONE, false).run()).isEqualTo(new Simulation(seed, NONE, true).run());
        }
    }
}
