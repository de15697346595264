package io.heddle.perf.load.process;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.report.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures memory and processor time of processes in consecutive phases, and detects their exit. Memory is sampled, except of processes
 * with descendants, which is expensive to read. Owner: the thread that calls it.
 */
public final class ProcessWatch {
    private static final long INTERVAL_NANOS = 100_000_000;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    private final List<MeasuredProcess> processes;
    private final Map<MeasuredProcess, Long> processorBefore = new LinkedHashMap<>();
    private final Map<MeasuredProcess, Long> resident = new LinkedHashMap<>();
    private final Map<MeasuredProcess, Long> peak = new LinkedHashMap<>();
    private final OwnProcessor own = new OwnProcessor();
    private long ownBefore;
    private long beginNanos;
    private long nextSampleNanos;
    private @Nullable String death;

    public ProcessWatch(List<MeasuredProcess> processes) {
        this.processes = processes;
    }

    /** Starts a phase. */
    public void begin(long nowNanos) {
        beginNanos = nowNanos;
        peak.clear();
        ownBefore = own.processNanos();
        guarded(process -> processorBefore.put(process, process.processorNanos()));
        sample(nowNanos);
    }

    /** Samples the memory when due. */
    public void turn(long nowNanos) {
        if (nowNanos - nextSampleNanos >= 0) {
            sample(nowNanos);
        }
    }

    /** Ends a phase and adds its figures: memory at its end, peak memory, and processors used by each process. */
    public void addTo(Figures figures, long nowNanos) {
        sample(nowNanos);
        double nanos = Math.max(1, nowNanos - beginNanos);
        guarded(process -> {
            long used = process.processorNanos() - Objects.requireNonNullElse(processorBefore.get(process), 0L);
            figures.put("cpu " + process.name(), "processors", used / nanos);
        });
        figures.put("cpu generator", "processors", (own.processNanos() - ownBefore) / nanos);
        resident.forEach(
                (process, bytes) -> figures.put("resident " + process.name(), "MB", bytes / BYTES_PER_MEGABYTE));
        peak.forEach(
                (process, bytes) -> figures.put("peak resident " + process.name(), "MB", bytes / BYTES_PER_MEGABYTE));
    }

    /** A sentence that names the exited process; null while all are running. */
    public @Nullable String death() {
        return death;
    }

    private void sample(long nowNanos) {
        nextSampleNanos = nowNanos + INTERVAL_NANOS;
        guarded(process -> {
            if (!process.withDescendants()) {
                long bytes = process.residentBytes();
                resident.put(process, bytes);
                peak.merge(process, bytes, Math::max);
            }
        });
    }

    private void guarded(Consumer<MeasuredProcess> action) {
        for (MeasuredProcess process : processes) {
            try {
                action.accept(process);
            } catch (LoadException ended) {
                if (death == null) {
                    death = "the process " + process.name() + " (" + process.pid() + ") has exited";
                }
            }
        }
    }
}
