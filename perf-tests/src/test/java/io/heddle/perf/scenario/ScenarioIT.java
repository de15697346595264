package io.heddle.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script as a user runs it: it starts the built broker, loads it with {@code load.jar}, and leaves nothing behind. */
@Tag("ci")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ScenarioIT {
    private static final Path LAUNCHER =
            Path.of("..", "broker-app", "target", "distribution", "heddle").toAbsolutePath();
    /** The C2 compiler costs JVMs that live for seconds more than it saves. */
    private static final String WITHOUT_C2 =
            "-XX:TieredStopAtLevel=1 -Dheddle.standalone.kafka-options=-XX:TieredStopAtLevel=1";

    /** Several nodes and their servers that start at once on one processor answer late. */
    private static final String PATIENT = "--heddle.kafka.connect-timeout=60s --heddle.redis.connect-timeout=60s"
            + " --heddle.postgres.connect-timeout=60s";

    private static final long ENDS_WITHIN_SECONDS = 180;

    @TempDir
    private Path folder;

    private record Ended(int status, String output) {}

    private Ended run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        assertThat(LAUNCHER)
                .as("the broker, which is built before this module by ./mvnw verify")
                .exists();
        List<String> command =
                new ArrayList<>(List.of(Path.of("scenario").toAbsolutePath().toString()));
        command.addAll(Arrays.asList(arguments));
        Path output = folder.resolve("output.txt");
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("BROKER_LAUNCHER", LAUNCHER.toString());
        builder.environment().put("HEDDLE_JAVA_OPTS", WITHOUT_C2);
        builder.environment().put("BROKER_OPTIONS", PATIENT);
        builder.environment().put("TMPDIR", temporary.toString());
        if (Runtime.getRuntime().availableProcessors() == 1) {
            builder.environment().put("GENERATOR_PROCESSOR", "0");
        }
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "it ended in time; it has written:\n" + read(output))
                    .isTrue();
        } finally {
            // TERM: the script stops the broker and the generator.
            process.destroy();
            process.waitFor(30, TimeUnit.SECONDS);
        }
        assertThat(temporary).isEmptyDirectory();
        return new Ended(process.exitValue(), read(output));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void measuresAFanOutOnTheBrokerWithItsServers() throws IOException, InterruptedException {
        Ended ended = run(
                Map.of(),
                "A",
                "--publishers",
                "3",
                "--subscribers",
                "20",
                "--warm-up",
                "1s",
                "--duration",
                "1s",
                "--runs",
                "2",
                "--forbid-loss");
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("cpu broker [µs/delivery]", "cpu kafka", "cpu redis", "cpu postgres", "cpu all-in")
                .containsPattern("lost +0\n")
                .containsPattern("duplicated +0\n")
                .containsPattern("reordered +0\n");
    }

    @Test
    void measuresQos2BetweenPersistentSessions() throws IOException, InterruptedException {
        Ended ended = run(
                Map.of(),
                "B",
                "--pairs",
                "20",
                "--qos",
                "2",
                "--mqtt",
                "5.0",
                "--warm-up",
                "500ms",
                "--duration",
                "1s",
                "--runs",
                "1");
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("PUBREC p99 [ms]")
                .containsPattern("lost +0\n")
                .containsPattern("unacknowledged +0\n");
    }

    @Test
    void measuresAClusterWithClientsOnEachNode() throws IOException, InterruptedException {
        Ended ended = run(
                Map.of("NODES", "2"),
                "point-to-point",
                "--pairs",
                "4",
                "--spread",
                "apart",
                "--qos",
                "1",
                "--persistent",
                "subscribers",
                "--warm-up",
                "500ms",
                "--duration",
                "1s",
                "--runs",
                "1");
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .containsPattern("Connecting 4 subscribers and 4 publishers to 127.0.0.1:[0-9]+, 127.0.0.1:[0-9]+\n")
                .contains("cpu broker", "of it, JIT compilers")
                .containsPattern("lost +0\n");
    }

    @Test
    void rejectsAnImpossibleNumberOfNodes() throws IOException, InterruptedException {
        Ended ended = run(Map.of("NODES", "9"), "A");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("NODES is '9', but must be 1 to 8");
    }

    @Test
    void reportsWhyTheBrokerDoesNotStart() throws IOException, InterruptedException {
        Ended ended = run(Map.of("BROKER_OPTIONS", "--heddle.no.such.setting=1"), "A");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("heddle.no.such.setting", "the broker exited before it was ready");
    }
}
