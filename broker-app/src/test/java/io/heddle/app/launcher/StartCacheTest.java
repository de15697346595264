package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the launcher makes starts faster, in a distribution whose JDK only notes what it is asked. */
final class StartCacheTest {
    private static final Path PROJECT = Path.of("..");
    private static final String JAR = "lib/app/heddle-app.jar";

    /** Comes up, records what it should, and makes caches of it. */
    private static final String JAVA = """
            #!/bin/sh
            echo "$*" >>'%1$s/calls'
            case $* in
              *AOTMode=record*)
                [ -z "$HEDDLE_KAFKA_URL" ] || exit 1
                for each in "$@"; do
                  case $each in -XX:AOTConfiguration=*) echo recorded >"${each#*=}" ;; esac
                done
                kafka=$(sed -n 's/^"-XX:AOTConfiguration=\\(.*\\)"$/\\1/p' '%1$s/lib/standalone/kafka.options')
                echo recorded >"$kafka"
                echo 'Heddle is ready' ;;
              *AOTMode=create*)
                for each in "$@"; do
                  case $each in -XX:AOTCache=*) echo made >"${each#*=}" ;; esac
                done ;;
              *) echo started ;;
            esac
            """;

    private static final String JAVA_WITHOUT_CACHES = """
            #!/bin/sh
            echo "$*" >>'%1$s/calls'
            case $* in
              *AOTMode*) echo 'Unrecognized VM option' >&2; exit 1 ;;
              *) echo started ;;
            esac
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private Path home;

    @BeforeEach
    void unpack() throws IOException {
        // Names of folders may have letters like these.
        home = Files.createDirectories(directory.resolve("a \"new\" heddle"));
        Files.createDirectories(home.resolve("lib/app"));
        Files.createDirectories(home.resolve("lib/standalone/kafka"));
        Files.createDirectories(home.resolve("jdk/bin"));
        Files.writeString(home.resolve(JAR), "program");
        Files.copy(PROJECT.resolve("heddle"), home.resolve("heddle"));
        for (String script : List.of("jdk25.sh", "start-cache.sh")) {
            Files.copy(
                    PROJECT.resolve(".mvn").resolve(script), home.resolve("lib").resolve(script));
        }
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        java(JAVA);
    }

    private void java(String text) throws IOException {
        for (String program : List.of("java", "javac")) {
            Path file = home.resolve("jdk/bin").resolve(program);
            Files.writeString(file, text.formatted(home));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private void start(String... arguments) throws Exception {
        ProcessBuilder call = new ProcessBuilder(
                Stream.concat(Stream.of(home.resolve("heddle").toString()), Arrays.stream(arguments))
                        .toList());
        call.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        call.environment().put("HEDDLE_KAFKA_URL", "other:9092");
        Process launcher = call.start();

        assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(new String(launcher.getErrorStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(launcher.exitValue()).isZero();
        assertThat(new String(launcher.getInputStream().readAllBytes(), UTF_8)).isEqualTo("started\n");
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(home.resolve("calls"));
    }

    @Test
    void theFirstStartMakesTheCachesAndLaterOnesUseThem() throws Exception {
        start();
        start();

        assertThat(calls())
                .satisfiesExactly(
                        record -> assertThat(record).contains("AOTMode=record", "HeddleApplication --data-dir"),
                        create -> assertThat(create).contains("AOTMode=create", "lib/app/*"),
                        create -> assertThat(create).contains("AOTMode=create", "lib/standalone/kafka/*"),
                        first -> assertThat(first).contains("@" + home + "/lib/broker.options"),
                        second -> assertThat(second).contains("@" + home + "/lib/broker.options"));
        String quoted = home.toString().replace("\"", "\\\"");
        assertThat(home.resolve("lib/broker.options"))
                .content()
                .startsWith("\"-XX:AOTCache=" + quoted + "/lib/start-cache/broker.aot\"\n");
        assertThat(home.resolve("lib/standalone/kafka.options"))
                .content()
                .startsWith("\"-XX:AOTCache=" + quoted + "/lib/start-cache/kafka.aot\"\n");
        assertThat(home.resolve("lib/start-cache/broker.aot")).exists();
        assertThat(home.resolve("lib/start-cache/kafka.aot")).exists();
    }

    @Test
    void whatTheFirstStartNeededIsGone() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        ProcessBuilder call = new ProcessBuilder(home.resolve("heddle").toString());
        call.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        call.environment().put("TMPDIR", temporary.toString());

        assertThat(call.start().waitFor()).isZero();

        assertThat(home.resolve("lib/start-cache/broker.aot")).exists();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void anotherProgramOrJdkGetsCachesOfItsOwn() throws Exception {
        start();
        Files.writeString(home.resolve(JAR), "another program");
        start();
        assertThat(calls()).filteredOn(call -> call.contains("record")).hasSize(2);

        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.2\"\n");
        start();
        start();
        assertThat(calls()).filteredOn(call -> call.contains("record")).hasSize(3);
    }

    @Test
    void aJvmThatCannotIsNotAskedAgainAndStartsAsEver() throws Exception {
        java(JAVA_WITHOUT_CACHES);

        start();
        start();

        assertThat(calls())
                .satisfiesExactly(
                        record -> assertThat(record).contains("AOTMode=record"),
                        first -> assertThat(first).doesNotContain("AOT", "@"),
                        second -> assertThat(second).doesNotContain("AOT", "@"));
        assertThat(home.resolve("lib/standalone/kafka.options")).doesNotExist();
        assertThat(home.resolve("lib/start-cache/log")).content().contains("Unrecognized VM option");
    }

    @Test
    void aCommandDoesNotMakeThem() throws Exception {
        start("credentials", "list");
        start("--help");
        start("--version");

        assertThat(calls()).hasSize(3).noneMatch(call -> call.contains("AOT"));
    }
}
