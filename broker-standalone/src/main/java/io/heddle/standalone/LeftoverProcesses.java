package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Children of an earlier broker on the same data directory that still run: their guard is just stopping them, or guard
 * and broker were both killed. They are known by pid and start time, so nothing else is ever stopped.
 */
final class LeftoverProcesses {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverProcesses.class);
    private static final Duration KILL_BOUND = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);

    private record Leftover(
            String name,
            ProcessIdentity child,
            String signal,
            @Nullable ProcessIdentity guard) {}

    private LeftoverProcesses() {}

    /** Stops what the records in the folder name and still runs, all at once, and removes the records. */
    static void stop(Path run) throws IOException, InterruptedException {
        List<Path> records = new ArrayList<>();
        List<Leftover> leftovers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(run, "*.process")) {
            for (Path file : files) {
                records.add(file);
                Leftover leftover = read(file);
                if (leftover != null) {
                    leftovers.add(leftover);
                }
            }
        }
        for (Leftover leftover : leftovers) {
            LOG.warn(
                    "{} of an earlier broker still runs (pid {}): stopping it",
                    leftover.name(),
                    leftover.child().pid());
            signal(leftover.child(), "CONT");
            signal(leftover.child(), leftover.signal());
        }
        for (Leftover leftover : leftovers) {
            end(leftover.child(), leftover.signal(), GuardedProcess.STOP_BOUND);
            ProcessIdentity guard = leftover.guard();
            if (guard != null && guard.isAlive()) {
                end(guard, "TERM", KILL_BOUND);
            }
        }
        for (Path record : records) {
            Files.delete(record);
        }
    }

    private static @Nullable Leftover read(Path file) throws IOException {
        Properties properties;
        try {
            properties = PrivateFiles.read(file);
        } catch (DamagedFileException e) {
            throw new StandaloneException(
                    "The file " + file + ", which says what process an earlier start left, is damaged ("
                            + e.getMessage() + "): delete it, and end that server's process if it still runs.",
                    e);
        }
        ProcessIdentity child = ProcessIdentity.parse(properties.getProperty("child"));
        if (child == null || !child.isAlive()) {
            return null;
        }
        String name = file.getFileName().toString().replace(".process", "");
        return new Leftover(
                name,
                child,
                properties.getProperty("signal", "TERM"),
                ProcessIdentity.parse(properties.getProperty("guard")));
    }

    /** Sends the signal, waits, sends SIGKILL if need be, and returns when the process is gone. */
    static void end(ProcessIdentity process, String signal, Duration bound) throws IOException, InterruptedException {
        signal(process, signal);
        if (awaitEnd(process, bound)) {
            return;
        }
        signal(process, "KILL");
        if (!awaitEnd(process, KILL_BOUND)) {
            throw new StandaloneException("Process " + process.pid()
                    + " of an earlier start does not end, not even by SIGKILL: end it (kill -9 " + process.pid()
                    + "), then start again.");
        }
    }

    static void signal(ProcessIdentity process, String signal) throws IOException, InterruptedException {
        if (process.isAlive()) {
            ShortCommand.run(List.of("sh", "-c", "kill -s " + signal + " " + process.pid()));
        }
    }

    /** By looking again and again: where nobody waits for orphans they stay behind as remains, which no event tells. */
    private static boolean awaitEnd(ProcessIdentity process, Duration bound) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + bound.toNanos();
        while (process.isAlive()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            never.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
        }
        return true;
    }
}
