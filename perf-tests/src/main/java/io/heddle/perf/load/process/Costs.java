package io.heddle.perf.load.process;

import io.heddle.perf.load.report.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processor time of measured processes and of the generator since {@link #begin}. Owner: the generator's thread. */
public final class Costs {
    private static final double NANOS_PER_MICRO = 1e3;

    private final OwnProcessor own = new OwnProcessor();
    private final List<MeasuredProcess> processes;
    private final Map<MeasuredProcess, Long> before = new LinkedHashMap<>();
    private final Map<MeasuredProcess, CompilerTimes> compilersBefore = new LinkedHashMap<>();
    private long threadBefore;
    private long processBefore;

    public Costs(List<MeasuredProcess> processes) {
        this.processes = processes;
        begin();
    }

    /** Starts the measurement. */
    public void begin() {
        for (MeasuredProcess process : processes) {
            before.put(process, process.processorNanos());
            compilersBefore.put(process, CompilerTimes.of(process.pid()));
        }
        processBefore = own.processNanos();
        threadBefore = own.threadNanos();
    }

    /** Adds the processor time of each of {@code count} things; {@code thing} names them. */
    public void addTo(Figures figures, String thing, long count) {
        double thread = own.threadNanos() - threadBefore;
        double process = own.processNanos() - processBefore;
        String unit = "µs/" + thing;
        double all = 0;
        Map<String, Double> byName = new LinkedHashMap<>();
        for (Map.Entry<MeasuredProcess, Long> entry : before.entrySet()) {
            double nanos = entry.getKey().processorNanos() - entry.getValue();
            byName.merge(entry.getKey().name(), nanos, Double::sum);
            all += nanos;
        }
        byName.forEach((name, nanos) -> figures.put("cpu " + name, unit, each(nanos, count)));
        if (!byName.isEmpty()) {
            figures.put("cpu all-in", unit, each(all, count));
            figures.put("of it, JIT compilers", unit, each((double) compilers(), count));
        }
        figures.put("cpu generator, its thread", unit, each(thread, count));
        figures.put("cpu generator, its JVM", unit, each(process, count));
    }

    private long compilers() {
        long nanos = 0;
        for (Map.Entry<MeasuredProcess, CompilerTimes> entry : compilersBefore.entrySet()) {
            nanos += CompilerTimes.of(entry.getKey().pid()).nanosSince(entry.getValue());
        }
        return nanos;
    }

    private static double each(double nanos, long count) {
        return count == 0 ? Double.NaN : nanos / count / NANOS_PER_MICRO;
    }
}
