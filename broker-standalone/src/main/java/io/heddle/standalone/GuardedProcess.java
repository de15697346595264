package io.heddle.standalone;

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
 * One life of a child process under its guard, a small shell that waits for the end of its standard input.
 *
 * <p>That input is a pipe of which this JVM holds the other end: it closes when the JVM asks for a stop and also when
 * the JVM is killed, and either way the guard sends the child its stop signal and, after {@link #STOP_BOUND}, SIGKILL.
 * The guard ends after its child and its own subshell, with the child's status. Thread-safe.
 */
final class GuardedProcess {
    /** How long a child may take to stop by itself. */
    static final Duration STOP_BOUND = Duration.ofSeconds(Long.getLong("heddle.standalone.stop-seconds", 6));

    /*
     * $1 stop signal, $2 bound in tenths of a second, $3 log file, $4 launch script. The first line on standard output
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
     * How a child is started.
     *
     * @param name of the files that belong to it, such as {@code kafka-0}
     * @param command program and arguments; nothing secret
     * @param environment in addition to the broker's own; an empty value removes the variable
     * @param stopSignal {@code TERM} or {@code INT}
     */
    record Launch(
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

    /** @param data the data directory: logs go to {@code log}, the record of the running process to {@code run} */
    static GuardedProcess start(Launch launch, DataDirectory data) throws IOException {
        Path run = data.directory("run");
        Path log = data.directory("log").resolve(launch.name() + ".log");
        LogFile.prepare(log);
        // In a file and not in the guard's arguments, so that whoever looks for a server by its command line finds only
        // the server.
        Path script = run.resolve(launch.name() + ".launch");
        PrivateFiles.write(
                script,
                "exec " + launch.command().stream().map(GuardedProcess::quoted).collect(Collectors.joining(" "))
                        + "\n");

        List<String> command = new ArrayList<>();
        if (isOnPath("setsid")) {
            // Its own session: Ctrl-C at the terminal reaches only the broker, which then stops the children in order.
            command.add("setsid");
        }
        command.addAll(List.of("sh", "-c", GUARD, "heddle-guard", launch.stopSignal()));
        command.addAll(List.of(Long.toString(STOP_BOUND.toMillis() / 100), log.toString(), script.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(launch.workingDirectory().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        ShortCommand.changeEnvironment(builder, launch.environment());
        Process guard = builder.start();
        try {
            return recorded(guard, launch, run.resolve(launch.name() + ".process"));
        } catch (IOException e) {
            // The guard takes this for the broker's end and stops what it has started.
            guard.getOutputStream().close();
            throw e;
        }
    }

    private static GuardedProcess recorded(Process guard, Launch launch, Path record) throws IOException {
        long pid = readPid(guard, launch.name());
        ProcessIdentity child = ProcessIdentity.of(pid);
        if (child == null) {
            // Ended already; waitFor will tell. An identity that no process has stands for it.
            child = new ProcessIdentity(pid, -1, "ended");
        }
        Properties properties = new Properties();
        properties.setProperty("child", child.toString());
        properties.setProperty("signal", launch.stopSignal());
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
                throw new IOException("the shell that guards " + name + " ended before it started its child");
            }
            return Long.parseLong(line);
        }
    }

    long pid() {
        return child.pid();
    }

    /** Asks the child to stop, by way of its guard. Returns at once. */
    void requestStop() throws IOException {
        guard.getOutputStream().close();
    }

    /** SIGKILL to the child. Returns at once. */
    void kill() {
        if (child.isAlive()) {
            ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Sends a signal to the child and to all its own children. */
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

    /** The same for a person who named the server. Throws StandaloneException. */
    void signal(String signal, String displayName) {
        try {
            signalTree(signal);
        } catch (IOException e) {
            throw new StandaloneException(displayName + " cannot be sent the signal " + signal + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StandaloneException("Interrupted while sending a signal to " + displayName, e);
        }
    }

    /** Waits at most that long. The exit status, or null when the child still runs. */
    @Nullable
    Integer waitFor(Duration timeout) throws InterruptedException, IOException {
        if (!guard.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            return null;
        }
        return afterGuard();
    }

    /** Waits for the child's end and returns its status. */
    int waitFor() throws InterruptedException, IOException {
        guard.waitFor();
        return afterGuard();
    }

    /** When somebody killed the guard alone, the child must not stay: nothing would stop it with the broker. */
    private int afterGuard() throws InterruptedException, IOException {
        // The guard's waiting subshell, if it survived its parent, sees the end of its input now.
        requestStop();
        if (child.isAlive()) {
            LeftoverProcesses.end(child, stopSignal, STOP_BOUND);
        }
        Files.deleteIfExists(record);
        return guard.exitValue();
    }

    static boolean isOnPath(String program) {
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
