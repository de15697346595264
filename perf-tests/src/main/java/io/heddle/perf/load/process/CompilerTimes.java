package io.heddle.perf.load.process;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The user and system time so far of the threads in which a JVM compiles methods, by thread. Empty for other processes.
 *
 * @param nanos by thread id
 */
record CompilerTimes(Map<Long, Long> nanos) {
    /** Linux cuts the names of threads: "C2 CompilerThread0" becomes "C2 CompilerThre". */
    private static final String NAME = "C[12] Compiler.*";

    /** Returns the times of a process. Descendants are not included. */
    static CompilerTimes of(long pid) {
        Map<Long, Long> nanos = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                addIfCompiler(thread, nanos);
            }
        } catch (IOException e) {
            throw new LoadException("Process " + pid + " has exited: correct --pid or --pids", e);
        }
        return new CompilerTimes(nanos);
    }

    private static void addIfCompiler(Path thread, Map<Long, Long> nanos) {
        String stat;
        try {
            if (!Files.readString(thread.resolve("comm")).strip().matches(NAME)) {
                return;
            }
            stat = Files.readString(thread.resolve("stat"));
        } catch (IOException ended) {
            // A JVM ends compiler threads that it does not need.
            return;
        }
        nanos.put(
                Long.parseLong(String.valueOf(thread.getFileName())),
                ProcStat.parse(stat).ownTicks() * ProcStat.NANOS_PER_TICK);
    }

    /** Returns the time since an earlier moment, without that of threads that have ended meanwhile. */
    long nanosSince(CompilerTimes earlier) {
        long sum = 0;
        for (Map.Entry<Long, Long> thread : nanos.entrySet()) {
            sum += thread.getValue() - earlier.nanos.getOrDefault(thread.getKey(), 0L);
        }
        return sum;
    }
}
