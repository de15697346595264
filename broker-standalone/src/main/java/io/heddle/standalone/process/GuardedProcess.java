package io.heddle.standalone.process;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a child process under its guard, a small shell that waits for the end of its standard input.
 *
 * <p>The input is a pipe whose other end this JVM holds. The pipe closes when the JVM requests a stop, and also when the JVM is killed.
 * Then the guard sends the child its stop signal and, after {@link #STOP_TIMEOUT}, SIGKILL. The guard exits after its child and its own
 * subshell, with the child's status. Thread-safe.
 */
public final class GuardedProcess {
    /** The time for a graceful stop. The system property is for the training run of the start caches, which write their file on exit. */
    public static final Duration STOP_TIMEOUT = Duration.ofSeconds(Long.getLong("heddle.standalone.stop-seconds", 6));

    /*
     * $1 stop signal, $2 timeout in tenths of a second, $3 log file, $4 launch script. The first line on standard output
     * is the child's pid. Descriptor 3 is the pipe from the broker; only the waiting subshell keeps it.
     */
    private static final String GUARD = """
            exec 3<&0 4>&1 </dev/null >>"$3" 2>&1
            sh "$4" 3<&- 4>&- &
            child=$!
            echo "$child" >&4
            exec 4>&-
            (
              read -r line <&3
              kill -s "$1" "$child"
              left=$2
              while [ "$left" -gt 0 ] && kill -s 0 "$child"; do sleep 0.1; left=$((left - 1)); done
              kill -s KILL "$child"
            ) >/dev/null 2>&1 &
            waiting=$!
            exec 3<&-
            wait "$child"
            status=$?
            kill -s KILL "$waiting"
            wait "$waiting" 2>/dev/null
            exit "$status"
            """;

    /**
     * The way to start a child.
     *
     * @param name the base name of its files, such as {@code kafka-0}
     * @param command program and arguments, without secrets
     * @param environment changes to the broker's own environment; an empty value removes the variable
     * @param stopSignal {@code TERM} or {@code INT}
     */
    public record Launch(
            String name,
            List<String> command,
            Path workingDirectory,
            Map<String, String> environment,
            String stopSignal) {}

    private final Process guard;
    private final ProcessIdentity child;
    private final String stopSignal;
    private final Path record;

    private GuardedProcess(Process guard, ProcessIdentity child, String stopSignal, Path record) {
        this.guard = guard;
        this.child = child;
        this.stopSignal = stopSignal;
        this.record = record;
    }

    /** Starts the process; its log goes to {@code log} in the data directory, the record of the running process to {@code run}. */
    static GuardedProcess start(Launch launch, DataDirectory data) throws IOException {
        Path run = data.directory("run");
        Path log = data.directory(DataDirectory.LOG_FOLDER).resolve(launch.name() + ".log");
        LogFile.prepare(log);
        // In a file and not in the guard's arguments, so that a search for the server's command line does not find the
        // guard.
        Path script = run.resolve(launch.name() + ".launch");
        PrivateFiles.write(
                script,
                "exec " + launch.command().stream().map(GuardedProcess::quoted).collect(Collectors.joining(" "))
                        + "\n");

        List<String> command = new ArrayList<>();
        if (isOnPath("setsid")) {
            // A session of its own: Ctrl-C at the terminal reaches only the broker, which then stops its children
            // gracefully.
            command.add("setsid");
        }
        command.addAll(List.of("sh", "-c", GUARD, "heddle-guard", launch.stopSignal()));
        command.addAll(List.of(Long.toString(STOP_TIMEOUT.toMillis() / 100), log.toString(), script.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(launch.workingDirectory().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        ShortCommand.changeEnvironment(builder, launch.environment());
        Process guard = builder.start();
        try {
            return recorded(guard, launch, run.resolve(launch.name() + ".process"));
        } catch (IOException e) {
            // The guard stops its child when this pipe closes.
            guard.getOutputStream().close();
            throw e;
        }
    }

    private static GuardedProcess recorded(Process guard, Launch launch, Path record) throws IOException {
        long pid = readPid(guard, launch.name());
        ProcessIdentity child = ProcessIdentity.of(pid);
        if (child == null) {
            // The child has exited; waitFor reports its status. Use an identity that no process has.
            child = new ProcessIdentity(pid, -1, "ended");
        }
        Properties properties = LeftoverProcesses.record(child, launch.stopSignal());
        ProcessIdentity guardIdentity = ProcessIdentity.of(guard.pid());
        if (guardIdentity != null) {
            properties.setProperty("guard", guardIdentity.toString());
        }
        PrivateFiles.write(record, properties);
        return new GuardedProcess(guard, child, launch.stopSignal(), record);
    }

    private static long readPid(Process guard, String name) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(guard.getInputStream(), StandardCharsets.US_ASCII))) {
            String line = reader.readLine();
            if (line == null) {
                guard.destroyForcibly();
                throw new IOException("the guard of " + name + " exited before it started its child");
            }
            return Long.parseLong(line);
        }
    }

    long pid() {
        return child.pid();
    }

    /** Asks the guard to stop the child. Returns immediately. */
    void requestStop() throws IOException {
        guard.getOutputStream().close();
    }

    /** Sends SIGKILL to the child. Returns immediately. */
    void kill() {
        if (child.isAlive()) {
            ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Sends a signal to the child and its descendants. */
    void signalTree(String signal) throws IOException, InterruptedException {
        if (!child.isAlive()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("kill", "-s", signal));
        ProcessHandle.of(child.pid())
                .ifPresent(process -> Stream.concat(Stream.of(process), process.descendants())
                        .forEach(one -> command.add(Long.toString(one.pid()))));
        ShortCommand.run(List.of("sh", "-c", command.stream().collect(Collectors.joining(" "))));
    }

    /** Calls {@link #signalTree}. Throws StandaloneException, which names the server, if it fails. */
    void signal(String signal, String displayName) {
        try {
            signalTree(signal);
        } catch (IOException e) {
            throw new StandaloneException("Signal " + signal + " cannot be sent to " + displayName + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StandaloneException("Interrupted while sending a signal to " + displayName, e);
        }
    }

    /** Waits until the child exits or the timeout is over. Returns the exit status, or null if the child is still running. */
    @Nullable
    Integer waitFor(Duration timeout) throws InterruptedException, IOException {
        if (!guard.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            return null;
        }
        return afterGuard();
    }

    /** If the guard alone was killed, the child must not survive: no guard would stop it with the broker. */
    private int afterGuard() throws InterruptedException, IOException {
        // Ends the guard's waiting subshell if it survived the guard.
        requestStop();
        if (child.isAlive()) {
            LeftoverProcesses.terminate(child, stopSignal, STOP_TIMEOUT);
        }
        Files.deleteIfExists(record);
        return guard.exitValue();
    }

    /** Returns whether the PATH has an executable file of this name. */
    public static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        if (path != null) {
            for (String folder : path.split(":", -1)) {
                if (Files.isExecutable(Path.of(folder, program))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String quoted(String argument) {
        return "'" + argument.replace("'", "'\\''") + "'";
    }
}
