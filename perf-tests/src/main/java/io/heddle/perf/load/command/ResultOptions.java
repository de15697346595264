package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.process.MeasuredProcess;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.report.ReportJson;
import io.heddle.perf.load.report.ReportTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for measured processes and the result file. */
final class ResultOptions {
    @Option(
            names = "--pid",
            paramLabel = "NAME=PID",
            description = "process whose processor time and memory are measured; can be repeated;"
                    + " equal names are added up; PID+ includes descendants")
    private List<String> named = new ArrayList<>();

    @Option(names = "--pids", paramLabel = "PID,...", split = ",", description = "like --pid, without names")
    private List<String> unnamed = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE", description = "also write the result to this file")
    private @Nullable Path json;

    List<MeasuredProcess> processes() {
        List<MeasuredProcess> processes = new ArrayList<>();
        named.forEach(text -> processes.add(MeasuredProcess.parse(text)));
        unnamed.forEach(text -> processes.add(MeasuredProcess.parse(text)));
        // Fails now if a process does not exist, instead of after the warm-up.
        processes.forEach(MeasuredProcess::processorNanos);
        return processes;
    }

    /** Prints and writes the report. Returns the exit status. */
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
