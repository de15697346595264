package io.heddle.perf.load.traffic;

import io.heddle.perf.load.process.MeasuredProcess;
import java.time.Duration;
import java.util.List;

/**
 * What is measured, and how long.
 *
 * @param warmUp before the first run
 * @param duration of each run
 */
public record Measured(Duration warmUp, Duration duration, int runs, List<MeasuredProcess> processes) {
    public Measured {
        processes = List.copyOf(processes);
    }
}
