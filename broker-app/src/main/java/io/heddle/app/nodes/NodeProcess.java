package io.heddle.app.nodes;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.process.LeftoverProcesses;
import io.heddle.standalone.process.ProcessIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node of this machine, a process of its own, from {@link #start} to {@link #awaitEnd}. States: running → pausing → running → ... →
 * stopped. A process that has ended is started again after a pause, so that a person can watch the other nodes take over, and for ever:
 * what a start needs may be away for any time. Its thread owns the process; any thread may call the methods.
 */
public final class NodeProcess {
    /** The limit of a broker for its own stop, and a second. */
    public static final Duration STOP_WITHIN = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(NodeProcess.class);
    private static final int FIRST_SIGNAL_STATUS = 128;

    private final String name;
    private final ProcessBuilder command;
    private final Path runs;
    private final Terminal terminal;
    private final RestartPauses pauses;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Run run;

    /** Where the lines of the nodes go. All methods may be called by any thread. */
    public interface Terminal {
        void print(String line);

        void printError(String line);
    }

    private record Run(Process process, NodeOutput output) {}

    /**
     * @param runs the folder in which {@link LeftoverProcesses} finds the process if this one is killed
     * @param command the command line
     * @param pause between the end of a process and the next start; doubled with each start that fails
     */
    public NodeProcess(String name, List<String> command, Path runs, Terminal terminal, Duration pause) {
        this.name = name;
        this.command = new ProcessBuilder(command);
        this.runs = runs;
        this.terminal = terminal;
        this.pauses = new RestartPauses(pause);
        this.thread = Thread.ofPlatform().name("heddle-" + name).unstarted(this::supervise);
    }

    /** Starts the process. Throws StartupException if there is none to start. */
    public void start() {
        try {
            begin();
        } catch (IOException e) {
            throw new StartupException(name + " cannot be started: " + e.getMessage(), e);
        }
        thread.start();
    }

    /** Waits until the first process serves. Throws StartupException if it ends before. */
    public void awaitUp() throws InterruptedException {
        Run first = run;
        if (first == null || !first.output().awaitUp()) {
            throw new StartupException(first == null ? "The start was interrupted" : name + " " + ended(first), null);
        }
    }

    /** Starts a process, unless the node is being stopped. */
    private synchronized @Nullable Run begin() throws IOException {
        if (stopping.getCount() == 0) {
            return null;
        }
        Process process = command.start();
        Run begun = new Run(process, new NodeOutput(name, terminal::print, terminal::printError));
        run = begun;
        ProcessIdentity identity = ProcessIdentity.of(process.pid());
        try {
            if (identity != null) {
                PrivateFiles.write(runs.resolve(name + ".process"), LeftoverProcesses.record(identity, "TERM"));
            }
        } catch (IOException e) {
            // The next start of the program would not find it if this process were killed.
            process.destroyForcibly();
            throw e;
        }
        log.info("Started a node: node={}, pid={}", name, process.pid());
        return begun;
    }

    private void supervise() {
        boolean wasEverUp = false;
        try {
            for (Run current = run; current != null; ) {
                followToEnd(current);
                boolean wasUp = current.output().isUp();
                wasEverUp |= wasUp;
                if (!wasEverUp) {
                    // The first start fails as a whole, see awaitUp.
                    return;
                }
                current = startAgain(
                        name + " (process " + current.process().pid() + ") " + ended(current),
                        wasUp ? pauses.afterRun() : pauses.afterFailedStart());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the next run, or null if the node is being stopped. */
    private @Nullable Run startAgain(String end, Duration firstPause) throws InterruptedException {
        String reason = end;
        Duration pause = firstPause;
        while (stopping.getCount() > 0) {
            terminal.print(reason + "; it is started again in " + pause.toSeconds() + " s");
            if (stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return null;
            }
            try {
                Run next = begin();
                if (next != null) {
                    terminal.print(name + " is process " + next.process().pid());
                }
                return next;
            } catch (IOException e) {
                log.warn("Cannot start a node again: node={}, reason={}", name, e.toString());
                reason = name + " cannot be started (" + e.getMessage() + ")";
                pause = pauses.afterFailedStart();
            }
        }
        return null;
    }

    private void followToEnd(Run current) throws InterruptedException {
        Thread errors = pump(current.process().errorReader(), current.output()::onError);
        Thread output = pump(current.process().inputReader(), current.output()::onOutput);
        int status = current.process().waitFor();
        output.join();
        errors.join();
        current.output().onEnd();
        log.info(
                "A node has ended: node={}, pid={}, status={}",
                name,
                current.process().pid(),
                status);
    }

    private Thread pump(BufferedReader stream, Consumer<String> lines) {
        return Thread.ofPlatform().daemon().name("heddle-" + name + "-output").start(() -> {
            try (stream) {
                for (String line = stream.readLine(); line != null; line = stream.readLine()) {
                    lines.accept(line);
                }
            } catch (IOException e) {
                log.debug("The output of a node cannot be read; node={}", name, e);
            }
        });
    }

    /** Completes "the node ...", after its end. Java reports a signal as 128 and its number. */
    private static String ended(Run run) {
        String refusal = run.output().refusal();
        int status = run.process().exitValue();
        return refusal != null
                ? "did not start: " + refusal
                : status > FIRST_SIGNAL_STATUS
                        ? "was ended by signal " + (status - FIRST_SIGNAL_STATUS)
                        : "ended with status " + status + " (its log is in the data directory)";
    }

    public String name() {
        return name;
    }

    /** Returns the id of the latest process; 0 before the start. */
    public long pid() {
        Run current = run;
        return current == null ? 0 : current.process().pid();
    }

    /** Returns what the latest process has announced under a label, such as {@code http}; null if nothing. */
    public @Nullable String announced(String label) {
        Run current = run;
        return current == null ? null : current.output().label(label);
    }

    /** Returns the URLs of the listeners for MQTT of the latest process; empty if it has announced none. */
    public List<String> announcedListeners() {
        Run current = run;
        return current == null ? List.of() : current.output().listeners();
    }

    /** Returns whether a process runs or will be started again. */
    public boolean isSupervised() {
        return thread.isAlive();
    }

    /** Sends TERM and starts no further process. Does not wait. */
    public void requestStop() {
        stopping.countDown();
        synchronized (this) {
            Run current = run;
            if (current != null) {
                // Process.destroy would also close the output.
                current.process().toHandle().destroy();
            }
        }
    }

    /** Waits until the process has ended after {@link #requestStop}, and kills it after {@link #STOP_WITHIN}. */
    public void awaitEnd() {
        Run last = run;
        if (last == null) {
            return;
        }
        try {
            if (!last.process().waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("A node did not stop in time and is killed: node={}, pid={}", name, pid());
                last.process().destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            last.process().destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
