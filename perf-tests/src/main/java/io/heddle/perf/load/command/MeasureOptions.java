package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.traffic.MeasurementPlan;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a measurement and its result. */
final class MeasureOptions {
    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "load before the first run; default: 60s",
            converter = DurationOption.class)
    private Duration warmUp = Duration.ofSeconds(60);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "of each run; default: 20s",
            converter = DurationOption.class)
    private Duration duration = Duration.ofSeconds(20);

    @Option(names = "--runs", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int runs = 3;

    @Mixin
    private final ResultOptions result = new ResultOptions();

    MeasurementPlan plan() {
        if (runs < 1 || duration.isZero()) {
            throw new LoadException("--runs must be 1 or more, and --duration more than 0");
        }
        return new MeasurementPlan(warmUp, duration, runs, result.processes());
    }

    /** Prints and writes the report. Returns the exit status. */
    int report(Report report, PrintWriter out) {
        return result.report(report, out);
    }
}
