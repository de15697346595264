package io.heddle.core.sys;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The CPU usage of this process between the two latest measurements. Measured by one thread; any thread may read it. */
public final class CpuUsage {
    private static final int ALL = 1_000;

    private final Supplier<Optional<Duration>> used;
    private final LongSupplier nanoTime;
    private final int processors;
    // Of the measuring thread.
    private @Nullable Duration usedBefore;
    private long nanosBefore;
    private volatile @Nullable Integer latest;

    /**
     * Nothing is measured yet.
     *
     * @param used the processor time of the process since its start; empty if the system does not tell
     * @param processors that the process may use
     */
    public CpuUsage(Supplier<Optional<Duration>> used, LongSupplier nanoTime, int processors) {
        this.used = used;
        this.nanoTime = nanoTime;
        this.processors = processors;
    }

    public static CpuUsage ofThisProcess() {
        return new CpuUsage(
                () -> ProcessHandle.current().info().totalCpuDuration(),
                System::nanoTime,
                Runtime.getRuntime().availableProcessors());
    }

    /** Measures the usage since the measurement before. */
    public void measure() {
        long now = nanoTime.getAsLong();
        Duration total = used.get().orElse(null);
        Duration before = usedBefore;
        if (total != null && before != null && now > nanosBefore) {
            double share = (double) total.minus(before).toNanos() / (now - nanosBefore) / processors;
            latest = (int) Math.round(Math.clamp(share, 0, 1) * ALL);
        }
        usedBefore = total;
        nanosBefore = now;
    }

    /** Returns the usage in thousandths of all processors that the process may use; null if it is not known. */
    public @Nullable Integer thousandths() {
        return latest;
    }
}
