package io.heddle.perf.load.process;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Resident memory in bytes. */
    public long residentBytes() {
        long bytes = residentBytes(pid);
        if (bytes == 0) {
            throw new LoadException("The memory of process " + pid + " cannot be read: it has ended (--pid, --pids)");
        }
        return withDescendants
                ? bytes
                        + descendants()
                                .mapToLong(MeasuredProcess::residentBytes)
                                .sum()
                : bytes;
    }

    /** Has a JVM collect all of its garbage; does nothing to other processes. */
    public void collectGarbage() {
        if (!isJvm()) {
            return;
        }
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process collection = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.run")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = collection.waitFor(COLLECTION_WITHIN_SECONDS, TimeUnit.SECONDS);
            if (!ended || collection.exitValue() != 0) {
                collection.destroyForcibly();
                throw new LoadException("Process " + pid + " (" + name + ") does not collect its garbage: '" + jcmd
                        + " " + pid + " GC.run' failed; its memory would mean nothing");
            }
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

    private static long residentBytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KILOBYTE)
                    .sum();
        } catch (IOException ended) {
            return 0;
        }
    }
}
