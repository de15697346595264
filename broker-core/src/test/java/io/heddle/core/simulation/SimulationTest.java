package io.heddle.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs the simulation with many seeds. {@code -Dheddle.test.seed} replays one, {@code -Dheddle.test.seeds} sets their number. */
final class SimulationTest {
    private static final Set<Fault> ALL = EnumSet.allOf(Fault.class);

    @Test
    void noPromiseIsBroken() {
        SimulationRunner runner = new SimulationRunner(ALL, EnumSet.noneOf(Mistake.class));
        List<String> failures = runner.run(Integer.getInteger("heddle.test.seeds", 100));
        assertThat(failures).isEmpty();
    }

    @Test
    void aSeedTakesTheSameStepsAgain() {
        Set<Mistake> none = EnumSet.noneOf(Mistake.class);
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(new Simulation(seed, ALL, none, false).run())
                    .isEqualTo(new Simulation(seed, ALL, none, true).run());
        }
    }
}
