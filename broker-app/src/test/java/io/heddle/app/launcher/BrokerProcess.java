package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.app.HeddleApplication;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A broker process, from {@link #start} to {@link #close}. States: starting, ready, ended. Any thread. The process ends with this
 * JVM at the latest.
 */
public final class BrokerProcess implements AutoCloseable {
    static final String READY = "Heddle is ready";

    private static final Duration READY_WITHIN = Duration.ofMinutes(5);
    private static final Duration COMMAND_WITHIN = Duration.ofMinutes(3);
    private static final Duration DECLARES_WITHIN = Duration.ofSeconds(60);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(60);
    private static final Duration REST_OF_OUTPUT_WITHIN = Duration.ofSeconds(30);

    private final Process process;
    private final Thread killer;
    private final Output output;
    private final Output errors;
    private final long startedNanos = System.nanoTime();
    private volatile long signalledNanos = startedNanos;

    private BrokerProcess(Process process) {
        this.process = process;
        output = Output.of(process.inputReader(), "standard output of " + process.pid());
        errors = Output.of(process.errorReader(), "standard error of " + process.pid());
        killer = Thread.ofPlatform().name("kill-" + process.pid()).unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /** Starts the command. */
    public static BrokerProcess start(ProcessBuilder call) throws IOException {
        return new BrokerProcess(call.start());
    }

    /** Returns options for free ports, unless the further options set ports, and the further options. */
    static List<String> onFreePorts(Path dataDirectory, String... further) {
        List<String> arguments = new ArrayList<>(List.of("--data-dir", dataDirectory.toString()));
        for (String protocol : List.of("mqtt", "http")) {
            String option = "--" + protocol + "-port";
            if (Arrays.stream(further)
                    .noneMatch(
                            given -> given.startsWith(option) || given.startsWith("--heddle." + protocol + ".port="))) {
                arguments.addAll(List.of(option, "0"));
            }
        }
        arguments.addAll(Arrays.asList(further));
        return arguments;
    }

    /**
     * Starts a broker without child servers; its settings name external servers.
     *
     * @param settings each as {@code --key=value}
     */
    public static BrokerProcess withoutServers(List<String> settings) throws IOException {
        return withoutServers(List.of(), settings);
    }

    /**
     * Starts a broker without child servers.
     *
     * @param jvmOptions further options of its JVM
     * @param settings each as {@code --key=value}
     */
    public static BrokerProcess withoutServers(List<String> jvmOptions, List<String> settings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                // The launcher's options, which its cache requires.
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        if (Files.exists(Distribution.START_CACHE)) {
            command.addAll(List.of("-XX:AOTCache=" + Distribution.START_CACHE, "-Xlog:aot*=off"));
        }
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", Distribution.classPath(), HeddleApplication.class.getName()));
        command.addAll(settings);
        return start(new ProcessBuilder(command));
    }

    /** Runs a command of the distribution that ends by itself, such as {@code backup}. */
    public static Ended runCommand(List<String> arguments) throws IOException, InterruptedException {
        try (BrokerProcess command = withoutServers(arguments)) {
            return command.awaitEnd(COMMAND_WITHIN);
        }
    }

    /** Starts a broker on free ports. */
    static BrokerProcess start(Path dataDirectory, String... further) throws IOException {
        return start(Distribution.call(Distribution.LAUNCHER, onFreePorts(dataDirectory, further)));
    }

    /** Starts a broker that is expected to fail at start, and waits for its end. */
    static Ended startInVain(Path dataDirectory, String... further) throws IOException, InterruptedException {
        try (BrokerProcess broker = start(dataDirectory, further)) {
            return broker.awaitEnd(READY_WITHIN);
        }
    }

    /** Returns when the broker announces that it is ready; fails if it ends before. */
    public BrokerProcess awaitReady() {
        await().atMost(READY_WITHIN)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> readyNanos().isPresent() || !process.isAlive());
        assertThat(readyNanos())
                .as(() -> "It is not ready; it has written:\n" + output.text() + errors.text())
                .isPresent();
        return this;
    }

    /** Returns when the broker has declared another one dead. */
    public void awaitDeclarationOfDeath() {
        await().atMost(DECLARES_WITHIN).until(() -> (output.text() + errors.text()).contains("Declaring a node dead"));
    }

    /** Returns whether the broker has announced that it is ready, and still runs. */
    public boolean isUp() {
        return isAlive() && isReady();
    }

    /** Returns whether the broker has announced that it is ready. */
    public boolean isReady() {
        return readyNanos().isPresent();
    }

    /** Returns the {@link System#nanoTime} of readiness; empty while the broker is not ready. */
    OptionalLong readyNanos() {
        return output.arrivalOf(READY);
    }

    /** Returns the time from the start to the announcement of readiness. */
    public Duration untilReady() {
        return Duration.ofNanos(readyNanos().orElseThrow() - startedNanos);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    OutputStream standardInput() {
        return process.getOutputStream();
    }

    public String output() {
        return output.text();
    }

    public String errors() {
        return errors.text();
    }

    /** Returns the announced value of a label. */
    String announced(String label) {
        Matcher line =
                Pattern.compile("^  " + label + ": (.*)$", Pattern.MULTILINE).matcher(output());
        assertThat(line.find()).as("%s in %s", label, output()).isTrue();
        return line.group(1);
    }

    /** Returns the password of the administrator, if this broker has drawn it. */
    public Optional<String> administratorPassword() {
        return Pattern.compile("admin, password (\\S+) \\(shown only now\\)")
                .matcher(output())
                .results()
                .map(found -> found.group(1))
                .findFirst();
    }

    /** Returns the MQTT port of a broker that is ready. */
    public int mqttPort() {
        return port("mqtt");
    }

    /** Returns the port of the first listener for MQTT with a name, such as mqtts, of a broker that is ready. */
    public int port(String listener) {
        return URI.create(announced(listener)).getPort();
    }

    /** Returns the HTTP port of a broker that is ready. */
    public int httpPort() {
        return URI.create(announced("http")).getPort();
    }

    /** Returns the HTTP status of a request over loopback. */
    public static int statusOf(int httpPort, String path) throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    /** Sends TERM to the process. Returns at once. */
    public void terminate() throws IOException, InterruptedException {
        signal("TERM", Long.toString(pid()));
    }

    /** Sends INT to the process group, as a terminal does at Ctrl-C; the broker must be the group's leader. */
    void interruptGroup() throws IOException, InterruptedException {
        signal("INT", "-" + pid());
    }

    /** Sends SIGKILL to the process. Returns at once. */
    public void kill() throws IOException, InterruptedException {
        signal("KILL", Long.toString(pid()));
    }

    /** Freezes the process with SIGSTOP. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP", Long.toString(pid()));
    }

    /** Lets a frozen process run again. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT", Long.toString(pid()));
    }

    private void signal(String signal, String target) throws IOException, InterruptedException {
        signalledNanos = System.nanoTime();
        Process kill = new ProcessBuilder("sh", "-c", "kill -s " + signal + " -- " + target)
                .redirectErrorStream(true)
                .start();
        String answer = kill.inputReader().readAllAsString();
        assertThat(kill.waitFor()).as(answer).isZero();
    }

    /** Waits for the end of the process. */
    public Ended awaitEnd(Duration within) throws InterruptedException {
        assertThat(process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS))
                .as(() -> "ended within " + within + "; it has written:\n" + output.text() + errors.text())
                .isTrue();
        Duration took = Duration.ofNanos(System.nanoTime() - signalledNanos);
        output.awaitEnd(REST_OF_OUTPUT_WITHIN);
        errors.awaitEnd(REST_OF_OUTPUT_WITHIN);
        return new Ended(process.exitValue(), output.text(), errors.text(), took);
    }

    /** Ends the process if it still runs. */
    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_WITHIN.toSeconds(), TimeUnit.SECONDS)
                .join();
        if (process.isAlive()) {
            process.destroyForcibly().onExit().join();
        }
        Runtime.getRuntime().removeShutdownHook(killer);
    }
}
