package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's start cache, in a distribution with a fake JDK that records its calls. */
final class StartCacheTest {
    private static final Path PROJECT = Path.of("..");
    private static final String JAR = "lib/app/heddle-app.jar";

    /** A JDK that starts, records, and creates caches from the record. */
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

    /** Like {@link #JAVA}, with an incomplete record of Kafka. */
    private static final String JAVA_WITH_HALF_A_RECORD = JAVA.replace(
            "*AOTMode=create*)",
            "*AOTMode=create*kafka.conf*) echo 'bad magic number'; exit 1 ;;\n  *AOTMode=create*)");

    /** Like {@link #JAVA}, of a broker that has a cache. */
    private static final String JAVA_THAT_RECORDS_KAFKA = JAVA.replace("*AOTMode=record*)", "*--data-dir*)");

    /** Like {@link #JAVA}, but the broker is killed while it stops, when its records look complete. */
    private static final String JAVA_THAT_DOES_NOT_STOP = JAVA.replace("ready' ;;", "ready'; exit 1 ;;");

    /** A broker that starts slowly, with a server in a process of its own; on TERM, the broker stops first. */
    private static final String JAVA_WITH_A_SERVER = """
            #!/bin/sh
            case $* in
              *AOTMode=record*)
                for each in "$@"; do last=$data data=$each; [ "$last" = --data-dir ] && break; done
                mkdir -p "$data/run"
                sleep 300 &
                echo "child=$! 1 boot" >"$data/run/kafka-0.process"
                stop() { %2$s; }
                trap stop TERM
                echo $! $$ >'%1$s/recording'
                while :; do sleep 0.1; done ;;
              *) echo started ;;
            esac
            """;

    private static final String STOPS_SLOWLY = "echo stopped >'%1$s/stopped'; sleep 1; kill $!; exit 143";
    private static final String DOES_NOT_STOP = ":";
    private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private Path home;

    @BeforeEach
    void unpack() throws IOException {
        // Directory names may contain such characters.
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

    private void java(String text, String... more) throws IOException {
        String written = text;
        for (int i = 0; i < more.length; i++) {
            written = written.replace("%" + (i + 2) + "$s", more[i]);
        }
        for (String program : List.of("java", "javac")) {
            Path file = home.resolve("jdk/bin").resolve(program);
            Files.writeString(file, written.replace("%1$s", home.toString()));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private void start(String... arguments) throws Exception {
        assertThat(errorsOfStart(arguments)).isEmpty();
    }

    private String errorsOfStart(String... arguments) throws Exception {
        ProcessBuilder call = new ProcessBuilder(
                Stream.concat(Stream.of(home.resolve("heddle").toString()), Arrays.stream(arguments))
                        .toList());
        call.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        call.environment().put("HEDDLE_KAFKA_URL", "other:9092");
        Process launcher = call.start();

        assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(launcher.exitValue()).isZero();
        assertThat(new String(launcher.getInputStream().readAllBytes(), UTF_8)).isEqualTo("started\n");
        return new String(launcher.getErrorStream().readAllBytes(), UTF_8);
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

    /** Jars of different builds have the same modification time, and some the same size. */
    @Test
    void aJarOfOtherContentButTheSameSizeAndTimeGetsCachesOfItsOwn() throws Exception {
        start();
        FileTime time = Files.getLastModifiedTime(home.resolve(JAR));
        Files.writeString(home.resolve(JAR), "prograM");
        Files.setLastModifiedTime(home.resolve(JAR), time);

        start("--version");
        assertThat(calls()).last().asString().doesNotContain("@", "AOT");

        start();
        assertThat(calls()).filteredOn(call -> call.contains("record")).hasSize(2);
        assertThat(calls()).last().asString().contains("@" + home + "/lib/broker.options");
    }

    @Test
    void aJvmThatCannotIsAskedThreeTimesAndStartsAsEver() throws Exception {
        java(JAVA_WITHOUT_CACHES);

        for (int i = 1; i <= 3; i++) {
            assertThat(errorsOfStart())
                    .startsWith("Heddle could not prepare all of its faster starts (try " + i + " of 3)")
                    .contains(home.resolve("lib/start-cache/log").toString())
                    .hasLineCount(1);
        }
        start();

        assertThat(calls()).filteredOn(call -> call.contains("AOTMode=record")).hasSize(3);
        assertThat(calls())
                .filteredOn(call -> !call.contains("AOTMode=record"))
                .hasSize(4)
                .noneMatch(call -> call.contains("AOT") || call.contains("@"));
        assertThat(home.resolve("lib/standalone/kafka.options")).doesNotExist();
        assertThat(home.resolve("lib/start-cache/log")).content().contains("Unrecognized VM option");
    }

    @Test
    void theCacheThatCouldBeMadeIsKeptAndOnlyTheOtherIsTriedAgain() throws Exception {
        java(JAVA_WITH_HALF_A_RECORD);
        assertThat(errorsOfStart()).contains("(try 1 of 3)");

        assertThat(calls()).last().asString().contains("@" + home + "/lib/broker.options");
        assertThat(home.resolve("lib/start-cache/broker.aot")).exists();
        assertThat(home.resolve("lib/start-cache/log")).content().contains("bad magic number");
        assertThat(home.resolve("lib/standalone/kafka.options")).doesNotExist();
        Files.delete(home.resolve("calls"));
        java(JAVA_THAT_RECORDS_KAFKA);
        start();

        assertThat(calls())
                .satisfiesExactly(
                        record -> assertThat(record)
                                .contains("AOTCache=", "--data-dir")
                                .doesNotContain("AOTMode"),
                        create -> assertThat(create).contains("AOTMode=create", "kafka.conf"),
                        started -> assertThat(started).contains("@" + home + "/lib/broker.options"));
        assertThat(home.resolve("lib/standalone/kafka.options")).exists();
        assertThat(home.resolve("lib/start-cache/log")).doesNotExist();
    }

    @Test
    void aRecordingThatDidNotEndInOrderDoesNotCount() throws Exception {
        java(JAVA_THAT_DOES_NOT_STOP);

        assertThat(errorsOfStart()).contains("(try 1 of 3)");

        assertThat(calls()).noneMatch(call -> call.contains("AOTMode=create"));
        assertThat(home.resolve("lib/start-cache/log")).content().contains("did not stop in order: status 1");
        java(JAVA);
        start();
        assertThat(home.resolve("lib/start-cache/kafka.aot")).exists();
    }

    /** A launcher that records, with the temporary directory {@code tmp}. */
    private Process startThatRecords(String whenToldToStop) throws Exception {
        java(JAVA_WITH_A_SERVER, whenToldToStop);
        ProcessBuilder call = new ProcessBuilder(
                "env", "--default-signal=INT", home.resolve("heddle").toString());
        call.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        call.environment()
                .put("TMPDIR", Files.createDirectories(directory.resolve("tmp")).toString());
        Process launcher = call.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(GONE_WITHIN)
                .until(() -> Files.exists(home.resolve("recording"))
                        && Files.readString(home.resolve("recording")).endsWith("\n"));
        return launcher;
    }

    private static void signal(String name, Process launcher) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", name, Long.toString(launcher.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(directory.resolve("tmp")).isEmptyDirectory();
        assertThat(home.resolve("lib/standalone/kafka.options")).doesNotExist();
        assertThat(Files.readString(home.resolve("recording")).strip().split(" "))
                .noneMatch(pid -> ProcessHandle.of(Long.parseLong(pid)).isPresent());
    }

    @Test
    void aSignalWhileItRecordsEndsTheBrokerInOrderAndItsServers() throws Exception {
        for (var signal : Map.of("HUP", 129, "INT", 130, "TERM", 143).entrySet()) {
            Process launcher = startThatRecords(STOPS_SLOWLY);

            signal(signal.getKey(), launcher);

            assertThat(launcher.waitFor(GONE_WITHIN.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(launcher.exitValue()).as(signal.getKey()).isEqualTo(signal.getValue());
            assertThat(home.resolve("stopped")).exists();
            assertNothingIsLeft();
            Files.delete(home.resolve("stopped"));
            Files.delete(home.resolve("recording"));
        }
    }

    @Test
    void aRecordedBrokerThatDoesNotStopIsKilledWithItsKafka() throws Exception {
        Process launcher = startThatRecords(DOES_NOT_STOP);

        signal("TERM", launcher);

        assertThat(launcher.waitFor(GONE_WITHIN.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(launcher.exitValue()).isEqualTo(143);
        assertNothingIsLeft();
    }

    @Test
    void aLauncherThatIsKilledWhileItRecordsLeavesNothing() throws Exception {
        Process launcher = startThatRecords(STOPS_SLOWLY);

        signal("KILL", launcher);

        await().atMost(GONE_WITHIN).untilAsserted(this::assertNothingIsLeft);
        assertThat(home.resolve("stopped")).exists();
    }

    @Test
    void aCommandDoesNotMakeThem() throws Exception {
        start("credentials", "list");
        start("--help");
        start("--version");

        assertThat(calls()).hasSize(3).noneMatch(call -> call.contains("AOT"));
    }
}
