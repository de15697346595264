package io.heddle.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that the simulation finds each planted mistake within 1,000 seeds. Part of the profile {@code simulation}. */
@Timeout(1_200)
final class SimulationMistakes {
    @ParameterizedTest
    @EnumSource
    void aPlantedMistakeIsFound(Mistake mistake) {
        assertThat(new SimulationRunner(EnumSet.of(mistake)).firstFailure(1_000))
                .as("the seed that finds %s", mistake)
                .isPositive();
    }
}
