package io.heddle.perf.load.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time, user and system, of the thread that asks and of this whole process. */
public final class OwnProcessor {
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    public long threadNanos() {
        return threads.getCurrentThreadCpuTime();
    }

    /** With the compilers and the garbage collector. */
    public long processNanos() {
        return process.getProcessCpuTime();
    }
}
