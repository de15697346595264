package io.heddle.standalone.process;

import io.heddle.standalone.directory.DamagedFileException;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
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
 * Stops children of an earlier broker on the same data directory that are still running, because their guard is just stopping them or
 * because guard and broker were both killed. Pid and start time identify a child, so no other process is stopped.
 */
public final class LeftoverProcesses {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverProcesses.class);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);

    private record Leftover(
            String name,
            ProcessIdentity child,
            String signal,
            @Nullable ProcessIdentity guard) {}

    private LeftoverProcesses() {}

    /**
     * Returns the record of a process, for a file with the ending {@code .process}.
     *
     * @param signal that stops the process, such as {@code TERM}
     */
    public static Properties record(ProcessIdentity child, String signal) {
        Properties properties = new Properties();
        properties.setProperty("child", child.toString());
        properties.setProperty("signal", signal);
        return properties;
    }

    /** Stops all running processes that have a record in the folder, in parallel, and deletes the records. */
    public static void stop(Path run) throws IOException, InterruptedException {
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
                    "{} of an earlier broker is still running; stopping it: pid={}",
                    leftover.name(),
                    leftover.child().pid());
            signal(leftover.child(), "CONT");
            signal(leftover.child(), leftover.signal());
        }
        for (Leftover leftover : leftovers) {
            terminate(leftover.child(), leftover.signal(), GuardedProcess.STOP_TIMEOUT);
            ProcessIdentity guard = leftover.guard();
            if (guard != null && guard.isAlive()) {
                terminate(guard, "TERM", KILL_TIMEOUT);
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
                    "The file " + file + ", which records a server process of an earlier start, is damaged ("
                            + e.getMessage() + "): delete it, and kill that process if it is still running.",
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

    /** Sends the signal, waits until the process has exited, and sends SIGKILL after the timeout. */
    public static void terminate(ProcessIdentity process, String signal, Duration timeout)
            throws IOException, InterruptedException {
        signal(process, signal);
        if (awaitExit(process, timeout)) {
            return;
        }
        signal(process, "KILL");
        if (!awaitExit(process, KILL_TIMEOUT)) {
            throw new StandaloneException("Process " + process.pid()
                    + " of an earlier start does not exit, even after SIGKILL: kill it (kill -9 " + process.pid()
                    + "), then start again.");
        }
    }

    static void signal(ProcessIdentity process, String signal) throws IOException, InterruptedException {
        if (process.isAlive()) {
            ShortCommand.run(List.of("sh", "-c", "kill -s " + signal + " " + process.pid()));
        }
    }

    /** Polls: without a parent that waits for it, an orphan becomes a zombie and no event reports its exit. */
    private static boolean awaitExit(ProcessIdentity process, Duration timeout) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + timeout.toNanos();
        while (process.isAlive()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            never.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
        }
        return true;
    }
}
