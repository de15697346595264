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
 * A process whose cost is measured.
 *
 * @param name how the report calls it
 * @param withDescendants whether its children and theirs count as part of it
 */
public record MeasuredProcess(String name, long pid, boolean withDescendants) {
    private static final long COLLECTION_WITHIN_SECONDS = 60;
    private static final int BYTES_PER_KILOBYTE = 1024;

    /** Reads {@code 123}, {@code name=123}, or either with a {@code +} behind it that takes the descendants in. */
    public static MeasuredProcess parse(String text) {
        int equals = text.indexOf('=');
        boolean tree = text.endsWith("+");
        String number = text.substring(equals + 1, tree ? text.length() - 1 : text.length());
        try {
            long pid = Long.parseLong(number);
            return new MeasuredProcess(equals < 0 ? "pid-" + pid : text.substring(0, equals), pid, tree);
        } catch (NumberFormatException e) {
            throw new LoadException(
                    "'" + text + "' names no process: write --pid broker=1234, or broker=1234+ with its children", e);
        }
    }

    /** User and system time that it has used so far, in nanoseconds, to a hundredth of a second. */
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
     * Resident memory in bytes; with descendants, memory that they share counts once (Pss, each one's proportional part), else
     * PostgreSQL's shared buffers would count with every connection to it.
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

    /** Has a JVM collect all of its garbage; does nothing to other processes. */
    public void collectGarbage() {
        if (isJvm()) {
            jcmd("GC.run");
        }
    }

    /** The heap of a JVM that is in use after a collection of all garbage, in bytes; empty for other processes. */
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
            // Its answer is short enough for the pipe.
            boolean ended = asked.waitFor(COLLECTION_WITHIN_SECONDS, TimeUnit.SECONDS);
            if (!ended || asked.exitValue() != 0) {
                asked.destroyForcibly();
                throw new LoadException("Process " + pid + " (" + name + ") does not collect its garbage: '" + jcmd
                        + " " + pid + " " + command + "' failed; its memory would mean nothing");
            }
            return new String(asked.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new LoadException("'" + jcmd + "' cannot be run: run the generator with a JDK", e);
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
            throw new LoadException("Process " + pid + " (" + name + ") has ended (--pid, --pids)", e);
        }
    }

    private Stream<Long> descendants() {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid);
    }

    /** A descendant that ends meanwhile is among what its parent has reaped. */
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
                            path + " does not say " + label + ": process " + pid + " is ending (--pid, --pids)"));
        } catch (IOException | UncheckedIOException e) {
            throw new LoadException(
                    "The memory of process " + pid + " cannot be read from " + path + ": it has ended, or belongs to"
                            + " somebody else (--pid, --pids)",
                    e);
        }
    }
}
