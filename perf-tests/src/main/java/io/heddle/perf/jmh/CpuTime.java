package io.heddle.perf.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A JMH profiler ({@code -prof io.heddle.perf.jmh.CpuTime}): processor time of the whole JVM for one operation, its compilers and garbage
 * collector included. On a shared machine, wall-clock time depends on other users.
 */
public final class CpuTime implements InternalProfiler {
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long nanosBefore;

    @Override
    public String getDescription() {
        return "Processor time of the JVM for one operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        nanosBefore = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long nanos = system.getProcessCpuTime() - nanosBefore;
        long operations = result.getMetadata().getAllOps();
        if (operations == 0) {
            return List.of();
        }
        return List.of(new ScalarResult("cpu", (double) nanos / operations, "ns/op", AggregationPolicy.AVG));
    }
}
