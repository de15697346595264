package io.heddle.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the simulation with many seeds. {@code -Dheddle.test.seed} replays one, {@code -Dheddle.test.seeds} sets their number. */
final class SimulationTest {
    private static final Set<Mistake> NONE = EnumSet.noneOf(Mistake.class);

    @Test
    void noPromiseOfOneNodeIsBroken() {
        run(Mode.ONE_NODE, 70);
    }

    @Test
    void noPromiseOfServingNodesIsBroken() {
        run(Mode.DIVIDED, 50);
    }

    private static void run(Mode mode, int seeds) {
        List<String> failures = new SimulationRunner(mode, NONE).run(Integer.getInteger("heddle.test.seeds", seeds));
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aSeedTakesTheSameStepsAgain(Mode mode) {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(new Simulation(seed, mode, NONE, false).run())
                    .isEqualTo(new Simulation(seed, mode, NONE, true).run());
        }
    }
}
