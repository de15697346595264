package io.heddle.perf.load.process;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The processor time in {@code /proc/<pid>/stat}.
 *
 * @param ownTicks user and system time of the process
 * @param reapedTicks user and system time of its reaped descendants
 */
record ProcStat(long ownTicks, long reapedTicks) {
    /** Linux reports these times in hundredths of a second on every architecture, independent of the kernel's tick. */
    static final long NANOS_PER_TICK = 10_000_000;

    // Positions after the name, which can contain any character, including spaces and parentheses: see proc(5).
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    static ProcStat of(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
        } catch (IOException e) {
            throw new LoadException(
                    "Process " + pid + " cannot be measured, because it does not exist: correct --pid or --pids", e);
        }
    }

    static ProcStat parse(String stat) {
        List<String> fields =
                List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1));
        return new ProcStat(
                ticks(fields, USER) + ticks(fields, SYSTEM),
                ticks(fields, CHILDREN_USER) + ticks(fields, CHILDREN_SYSTEM));
    }

    private static long ticks(List<String> fields, int position) {
        return Long.parseLong(fields.get(position));
    }
}
