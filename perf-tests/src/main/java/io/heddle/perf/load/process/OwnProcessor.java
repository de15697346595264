package io.heddle.perf.load.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The user and system time of the calling thread and of this process. */
public final class OwnProcessor {
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    public long threadNanos() {
        return threads.getCurrentThreadCpuTime();
    }

    /** Includes the JIT compilers and the garbage collector. */
    public long processNanos() {
        return process.getProcessCpuTime();
    }
}
