package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The creation and use of the start caches, in a distribution with a fake JDK that records its calls. */
final class StartCacheTest {
    private static final Path PROJECT = Path.of("..");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** In a training run, becomes ready and writes both caches when it is stopped. */
    private static final String JAVA = """
            #!/bin/sh
            echo "$JDK_JAVA_OPTIONS $*" >>'%1$s/calls'
            output() { printf '%%s\\n' "$JDK_JAVA_OPTIONS" | sed -n "s/.*$1=\\([^']*\\)'.*/\\1/p"; }
            stop() {
              echo broker >"$(output AOTCacheOutput)"
              echo kafka >"$(output kafka-cache-output)"
              exit %2$d
            }
            case $JDK_JAVA_OPTIONS in
              *AOTCacheOutput*)
                [ -z "$HEDDLE_KAFKA_URL" ] || exit 1
                trap stop TERM
                echo $$ >'%1$s/training'
                echo '%3$s'
                while :; do sleep 0.1; done ;;
              *) echo started ;;
            esac
            """;

    private static final String READY = "Heddle is ready";
    private static final int STOPPED = 143;
    private static final int KILLED = 137;

    private static final String JAVA_WITHOUT_CACHES = """
            #!/bin/sh
            echo 'Unrecognized VM option' >&2
            exit 1
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private Path home;

    @BeforeEach
    void unpack() throws IOException {
        // Folders can have such names.
        home = Files.createDirectories(directory.resolve("a \"new\" heddle"));
        Files.createDirectories(home.resolve("lib/app"));
        Files.createDirectories(home.resolve("lib/standalone"));
        Files.createDirectories(home.resolve("jdk/bin"));
        Files.createDirectories(directory.resolve("tmp"));
        Files.copy(PROJECT.resolve("heddle"), home.resolve("heddle"));
        for (String script : List.of("jdk25.sh", "start-cache.sh")) {
            Files.copy(
                    PROJECT.resolve(".mvn").resolve(script), home.resolve("lib").resolve(script));
        }
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        java(JAVA.formatted(home, STOPPED, READY));
    }

    private void java(String text) throws IOException {
        for (String program : List.of("java", "javac")) {
            Path file = home.resolve("jdk/bin").resolve(program);
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private Process run(String... command) throws IOException {
        ProcessBuilder call = new ProcessBuilder(command);
        call.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        call.environment().put("TMPDIR", directory.resolve("tmp").toString());
        call.environment().put("HEDDLE_KAFKA_URL", "other:9092");
        return call.start();
    }

    private Process createCaches() throws IOException {
        return run("sh", home.resolve("lib/start-cache.sh").toString());
    }

    private static int status(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        return process.exitValue();
    }

    private static String errors(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), UTF_8);
    }

    private Path cache(String name) {
        return home.resolve("lib").resolve(name);
    }

    @Test
    void trainingRunCreatesBothCaches() throws Exception {
        Process creation = createCaches();

        assertThat(status(creation)).as(errors(creation)).isZero();
        assertThat(cache("broker.aot")).hasContent("broker");
        assertThat(cache("standalone/kafka.aot")).hasContent("kafka");
        assertThat(home.resolve("calls"))
                .content()
                .contains("-Dheddle.standalone.stop-seconds=120", "HeddleApplication --data-dir")
                .hasLineCount(1);
        assertThat(directory.resolve("tmp")).isEmptyDirectory();
        assertThat(cache("start-cache.log")).doesNotExist();
    }

    @Test
    void launcherUsesTheCacheIfThereIsOne() throws Exception {
        assertThat(status(run(home.resolve("heddle").toString()))).isZero();
        Files.createFile(cache("broker.aot"));
        assertThat(status(run(home.resolve("heddle").toString()))).isZero();

        assertThat(Files.readAllLines(home.resolve("calls")))
                .satisfiesExactly(
                        without -> assertThat(without).doesNotContain("AOT"),
                        with -> assertThat(with)
                                .contains("-XX:AOTCache=" + cache("broker.aot") + " -Xlog:aot*=off -D"));
    }

    @Test
    void failingTrainingRunIsReportedAndLeavesNoCaches() throws Exception {
        Files.createFile(cache("broker.aot"));
        java(JAVA_WITHOUT_CACHES);

        Process creation = createCaches();

        assertThat(errors(creation).lines())
                .last()
                .asString()
                .contains("could not be created (exit status 1)", "see " + cache("start-cache.log"));
        assertThat(status(creation)).isEqualTo(1);
        assertThat(cache("start-cache.log")).content().contains("Unrecognized VM option");
        assertThat(cache("broker.aot")).doesNotExist();
    }

    @Test
    void aUserWhoCannotWriteToTheInstallationIsToldSo() throws Exception {
        Files.createFile(cache("broker.aot"));
        boolean isRoot = System.getProperty("user.name").equals("root");
        List<String> command = new ArrayList<>();
        if (isRoot) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        } else {
            Files.setPosixFilePermissions(home.resolve("lib"), PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        command.addAll(List.of("sh", cache("start-cache.sh").toString()));
        Process creation = run(command.toArray(String[]::new));

        assertThat(errors(creation))
                .isEqualTo("The start caches cannot be created, because this user cannot write to "
                        + home.resolve("lib") + ": run this as the owner of the folder\n");
        assertThat(status(creation)).isEqualTo(1);
        assertThat(cache("broker.aot")).exists();
        if (!isRoot) {
            Files.setPosixFilePermissions(home.resolve("lib"), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void cachesOfAKilledTrainingRunAreDiscarded() throws Exception {
        java(JAVA.formatted(home, KILLED, READY));

        Process creation = createCaches();

        assertThat(errors(creation)).contains("could not be created (exit status 137)");
        assertThat(status(creation)).isEqualTo(1);
        assertThat(cache("broker.aot")).doesNotExist();
        assertThat(cache("standalone/kafka.aot")).doesNotExist();
    }

    @Test
    void signalStopsTheTrainingRun() throws Exception {
        java(JAVA.formatted(home, STOPPED, "not ready"));
        Path training = home.resolve("training");
        for (String signal : List.of("HUP", "INT", "TERM")) {
            Process creation = run(
                    "env",
                    "--default-signal=HUP,INT,TERM",
                    "sh",
                    home.resolve("lib/start-cache.sh").toString());
            await().atMost(PATIENCE)
                    .until(() ->
                            Files.exists(training) && Files.readString(training).endsWith("\n"));
            long pid = Long.parseLong(Files.readString(training).strip());

            assertThat(status(run("kill", "-s", signal, Long.toString(creation.pid()))))
                    .isZero();

            assertThat(status(creation)).as(signal).isEqualTo(1);
            assertThat(ProcessHandle.of(pid)).as(signal).isEmpty();
            assertThat(directory.resolve("tmp")).isEmptyDirectory();
            assertThat(cache("broker.aot")).doesNotExist();
            Files.delete(training);
        }
    }
}
