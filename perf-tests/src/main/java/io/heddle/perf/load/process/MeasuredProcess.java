package io.heddle.perf.load.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process whose processor time and memory are measured.
 *
 * @param name the name in the report
 * @param withDescendants whether descendants are included
 */
public record MeasuredProcess(String name, long pid, boolean withDescendants) {
    private static final long COLLECTION_WITHIN_SECONDS = 60;
    private static final int BYTES_PER_KILOBYTE = 1024;

    /** Parses {@code 123}, {@code name=123}, or either followed by {@code +} to include descendants. */
    public static MeasuredProcess parse(String text) {
        int equals = text.indexOf('=');
        boolean tree = text.endsWith("+");
        String number = text.substring(equals + 1, tree ? text.length() - 1 : text.length());
        try {
            long pid = Long.parseLong(number);
            return new MeasuredProcess(equals < 0 ? "pid-" + pid : text.substring(0, equals), pid, tree);
        } catch (NumberFormatException e) {
            throw new LoadException(
                    "'" + text
                            + "' is not a process: use --pid broker=1234, or broker=1234+ to include its descendants",
                    e);
        }
    }

    /** The user and system time so far in nanoseconds, with a resolution of 10 ms. */
    public long processorNanos() {
        ProcStat own = ProcStat.of(pid);
        long ticks = own.ownTicks();
        if (withDescendants) {
            ticks += own.reapedTicks();
            ticks += descendants().mapToLong(MeasuredProcess::ticksOrNone).sum();
        }
        return ticks * ProcStat.NANOS_PER_TICK;
    }

    /**
     * The resident memory in bytes. With descendants, shared memory counts once (Pss, the proportional part of each process); otherwise
     * PostgreSQL's shared buffers would count for each of its connections.
     */
    public long residentBytes() {
        if (!withDescendants) {
            return kilobytes(pid, "status", "VmRSS:") * BYTES_PER_KILOBYTE;
        }
        long kilobytes = kilobytes(pid, "smaps_rollup", "Pss:");
        kilobytes += descendants()
                .mapToLong(MeasuredProcess::proportionalKilobytesOrNone)
                .sum();
        return kilobytes * BYTES_PER_KILOBYTE;
    }

    /** Runs a full garbage collection in a JVM; does nothing for other processes. */
    public void collectGarbage() {
        if (isJvm()) {
            jcmd("GC.run");
        }
    }

    /** The heap in use of a JVM after a full garbage collection, in bytes; empty for other processes. */
    public OptionalLong heapBytesAfterCollection() {
        if (!isJvm()) {
            return OptionalLong.empty();
        }
        jcmd("GC.run");
        return OptionalLong.of(HeapInfo.usedBytes(jcmd("GC.heap_info")));
    }

    private String jcmd(String command) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process asked = new ProcessBuilder(jcmd.toString(), Long.toString(pid), command)
                    .redirectErrorStream(true)
                    .start();
            // The output fits into the pipe.
            boolean ended = asked.waitFor(COLLECTION_WITHIN_SECONDS, TimeUnit.SECONDS);
            if (!ended || asked.exitValue() != 0) {
                asked.destroyForcibly();
                throw new LoadException("Process " + pid + " (" + name
                        + "): the garbage collection failed, so its memory cannot be measured: check '" + jcmd + " "
                        + pid + " " + command + "'");
            }
            return new String(asked.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new LoadException("'" + jcmd + "' cannot be run: run the generator on a JDK", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("Interrupted", e);
        }
    }

    private boolean isJvm() {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "comm"))
                    .strip()
                    .equals("java");
        } catch (IOException e) {
            throw new LoadException("Process " + pid + " (" + name + ") has exited: correct --pid or --pids", e);
        }
    }

    private Stream<Long> descendants() {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid);
    }

    /** Zero for a descendant that has exited: its parent has reaped its time. */
    private static long ticksOrNone(long pid) {
        try {
            ProcStat stat = ProcStat.of(pid);
            return stat.ownTicks() + stat.reapedTicks();
        } catch (LoadException ended) {
            return 0;
        }
    }

    private static long proportionalKilobytesOrNone(long pid) {
        try {
            return kilobytes(pid, "smaps_rollup", "Pss:");
        } catch (LoadException ended) {
            return 0;
        }
    }

    private static long kilobytes(long pid, String file, String label) {
        Path path = Path.of("/proc", Long.toString(pid), file);
        try (Stream<String> lines = Files.lines(path)) {
            return lines.filter(line -> line.startsWith(label))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow(() -> new LoadException(
                            path + " has no " + label + ": process " + pid + " is exiting (--pid, --pids)"));
        } catch (IOException | UncheckedIOException e) {
            throw new LoadException(
                    "The memory of process " + pid + " cannot be read from " + path + ": it has exited, or belongs to"
                            + " another user (--pid, --pids)",
                    e);
        }
    }
}
