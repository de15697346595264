package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.process.MeasuredProcess;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.report.ReportJson;
import io.heddle.perf.load.report.ReportTable;
import io.heddle.perf.load.traffic.Measured;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is measured, how long, and where it is written. */
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

    @Option(
            names = "--pid",
            paramLabel = "NAME=PID",
            description = "a process whose processor time and memory are measured, as often as needed;"
                    + " equal names are added up; PID+ takes its descendants in")
    private List<String> named = new ArrayList<>();

    @Option(names = "--pids", paramLabel = "PID,...", split = ",", description = "the same without names")
    private List<String> unnamed = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", description = "writes the result there, too")
    private @Nullable Path json;

    Measured measured() {
        if (runs < 1 || duration.isZero()) {
            throw new LoadException("There must be a run of some length (--runs, --duration)");
        }
        List<MeasuredProcess> processes = new ArrayList<>();
        named.forEach(text -> processes.add(MeasuredProcess.parse(text)));
        unnamed.forEach(text -> processes.add(MeasuredProcess.parse(text)));
        // Fails now when one is not there, not after the warm-up.
        processes.forEach(MeasuredProcess::processorNanos);
        return new Measured(warmUp, duration, runs, processes);
    }

    /** Prints and writes the report; the exit status. */
    int report(Report report, PrintWriter out) {
        out.print(ReportTable.of(report));
        out.flush();
        if (json != null) {
            try {
                Files.writeString(json, ReportJson.of(report));
            } catch (IOException e) {
                throw new LoadException("The result cannot be written to " + json + ": " + e.getMessage(), e);
            }
        }
        return report.passed() ? 0 : 1;
    }
}
