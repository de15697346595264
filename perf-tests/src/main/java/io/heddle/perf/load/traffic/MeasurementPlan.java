package io.heddle.perf.load.traffic;

import io.heddle.perf.load.process.MeasuredProcess;
import java.time.Duration;
import java.util.List;

/**
 * The runs of a measurement and the measured processes.
 *
 * @param warmUp time of load before the first run
 * @param duration time of each run
 */
public record MeasurementPlan(Duration warmUp, Duration duration, int runs, List<MeasuredProcess> processes) {
    public MeasurementPlan {
        processes = List.copyOf(processes);
    }
}
