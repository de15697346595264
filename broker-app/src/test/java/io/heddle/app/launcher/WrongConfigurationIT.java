package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Failed starts: one sentence names the cause, the setting and the remedy, and no process or file is left. */
@OwnProcesses(because = "a start that fails ends the process")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class WrongConfigurationIT {
    private static final Duration REASONABLE = Duration.ofSeconds(30);
    private static final String NOBODY_THERE = "127.0.0.1:1";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    /**
     * A data directory with buckets. It is a link to a directory whose name could confuse child processes in a locale without
     * characters beyond ASCII. A shell creates it, because this JVM may have such a locale, too.
     */
    @BeforeAll
    void startOnce() throws Exception {
        shell("name=\"it's Zo$(printf '\\303\\253'), #1\"; mkdir -m 700 \"$name\" && ln -s \"$name\" data");
        try (BrokerProcess broker = BrokerProcess.start(dataDirectory())) {
            broker.awaitReady();
        }
    }

    @AfterEach
    void nothingStays() {
        ProcessTable.assertNothingRunsOn(directory);
    }

    private static void shell(String command) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();
    }

    private static Path dataDirectory() {
        return directory.resolve("data");
    }

    private static String refusal(String... arguments) throws Exception {
        Ended ended = BrokerProcess.startInVain(dataDirectory(), arguments);
        assertThat(ended.took()).isLessThan(REASONABLE);
        return ended.onlySentence();
    }

    @Test
    void aPortInUseIsFoundBeforeAnyServerIsStarted() throws Exception {
        Path unused = directory.resolve("unused");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(BrokerProcess.startInVain(unused, "--http-port=" + taken.getLocalPort())
                            .onlySentence())
                    .contains("port " + taken.getLocalPort());
        }

        assertThat(unused).isDirectoryNotContaining(path -> !path.endsWith("log"));
    }

    /** Netty without its native libraries simulates a kernel without io_uring. */
    @Test
    void aTransportThatTheMachineDoesNotHave() throws Exception {
        Path unused = directory.resolve("unused-2");
        ProcessBuilder call = Distribution.call(
                Distribution.LAUNCHER, BrokerProcess.onFreePorts(unused, "--heddle.mqtt.transport=io_uring"));
        call.environment().put("HEDDLE_JAVA_OPTS", "-Dio.netty.transport.noNative=true");

        try (BrokerProcess broker = BrokerProcess.start(call)) {
            assertThat(broker.awaitEnd(REASONABLE).onlySentence())
                    .contains("heddle.mqtt.transport is io_uring", "set it to auto");
        }

        assertThat(unused).isDirectoryNotContaining(path -> !path.endsWith("log"));
    }

    @Test
    void dataDirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path below = file.resolve("data");

        assertThat(BrokerProcess.startInVain(below).onlySentence())
                .contains(
                        below + " cannot be created because " + file + " is a file", "--data-dir (heddle.standalone.");
        assertThat(BrokerProcess.startInVain(Path.of("/proc/no-such-thing")).onlySentence())
                .contains(
                        "cannot be created because /proc belongs to the system",
                        "--data-dir (heddle.standalone.data-dir)");
    }

    @Test
    void foreignDirectoryIsLeftUnchanged() throws Exception {
        Path photos = Files.createDirectory(directory.resolve("photos"));
        Files.createFile(photos.resolve("holiday.jpg"));

        assertThat(BrokerProcess.startInVain(photos).onlySentence())
                .contains(photos + " holds holiday.jpg", "--data-dir (heddle.standalone.data-dir)");

        assertThat(photos).isDirectoryContaining("glob:**/holiday.jpg").isDirectoryNotContaining("glob:**/log");
    }

    @Test
    void theDefaultDataDirectoryIsInTheHomeOfTheEnvironment() throws Exception {
        Path home = Files.createFile(directory.resolve("home"));
        ProcessBuilder call = Distribution.call(Distribution.LAUNCHER, List.of());
        call.environment().put("HOME", home.toString());

        try (BrokerProcess broker = BrokerProcess.start(call)) {
            assertThat(broker.awaitEnd(REASONABLE).onlySentence())
                    .contains(home.resolve(".heddle").toString());
        }
    }

    @Test
    void dataDirectoryIsNamedWithLettersOutsideTheLocale() throws Exception {
        Files.createFile(directory.resolve("letters"));
        ProcessBuilder call = Distribution.call(Path.of("sh"), List.of());
        call.command()
                .addAll(List.of(
                        "-c",
                        "exec \"$0\" --data-dir \"$1/letters/Zo$(printf '\\303\\253')\"",
                        Distribution.LAUNCHER.toString(),
                        directory.toString()));

        try (BrokerProcess broker = BrokerProcess.start(call)) {
            assertThat(broker.awaitEnd(REASONABLE).onlySentence()).contains("letters/Zo", "is a file");
        }
    }

    @Test
    void dataDirectoryWithANameThatTheServersCannotHandle() throws Exception {
        Path path = directory.resolve("a $HOME");

        assertThat(BrokerProcess.startInVain(path).onlySentence())
                .contains("in its name", "--data-dir (heddle.standalone.data-dir)");

        assertThat(path).doesNotExist();
    }

    /** A limit on the file size simulates a full disk. */
    @Test
    void anUnwritableLogPrintsNothingBeforeTheError() throws Exception {
        ProcessBuilder call = Distribution.call(Path.of("sh"), List.of("-c", "ulimit -f 0; exec \"$0\" \"$@\""));
        call.command().add(Distribution.LAUNCHER.toString());
        call.command()
                .addAll(BrokerProcess.onFreePorts(
                        dataDirectory(),
                        "--heddle.redis.url=redis://" + NOBODY_THERE,
                        "--heddle.postgres.url=jdbc:postgresql://" + NOBODY_THERE + "/heddle",
                        "--heddle.postgres.connect-timeout=2s",
                        "--heddle.kafka.bootstrap-servers=" + NOBODY_THERE,
                        "--heddle.kafka.connect-timeout=2s"));
        // The JVM's own performance data file would fail first.
        call.environment().put("HEDDLE_JAVA_OPTS", "-XX:-UsePerfData");
        long before = Files.size(dataDirectory().resolve("log/heddle.log"));

        try (BrokerProcess broker = BrokerProcess.start(call)) {
            assertThat(broker.awaitEnd(REASONABLE).onlySentence()).contains("does not answer");
        }

        assertThat(dataDirectory().resolve("log/heddle.log")).hasSize(before);
    }

    @Test
    void certificatesAreCheckedBeforeAnyServerIsStarted() throws Exception {
        Path unused = directory.resolve("unused-3");
        Path certificate = Files.writeString(directory.resolve("server.pem"), "not a certificate\n");

        assertThat(BrokerProcess.startInVain(unused, "--mqtts-port=0", "--heddle.mqtt.tls.certificate=" + certificate)
                        .onlySentence())
                .contains("heddle.mqtt.tls.certificate", certificate.toString());

        assertThat(unused).isDirectoryNotContaining(path -> !path.endsWith("log"));
    }

    /** With servers of its own, a broker logs to standard output. */
    @Test
    void nothingPrecedesTheSentenceAboutAMissingServer() throws Exception {
        ProcessBuilder call = Distribution.call(
                Distribution.LAUNCHER,
                List.of(
                        "--mqtt-port=0",
                        "--http-port=0",
                        "--heddle.postgres.url=jdbc:postgresql://" + NOBODY_THERE + "/heddle",
                        "--heddle.postgres.connect-timeout=2s",
                        "--heddle.redis.url=redis://" + NOBODY_THERE,
                        "--heddle.kafka.bootstrap-servers=" + NOBODY_THERE,
                        "--heddle.kafka.connect-timeout=2s"));
        call.environment().put("HEDDLE_STANDALONE", "off");

        try (BrokerProcess broker = BrokerProcess.start(call)) {
            assertThat(broker.awaitEnd(REASONABLE).onlySentence()).contains("PostgreSQL does not answer");
        }
    }

    @Test
    void optionsThatJavaRejects() throws Exception {
        Map<String, String> reasons =
                Map.of("-XX:Foo", "Unrecognized VM option 'Foo'", "*", "main class", "-Xmx16m", "Initial heap size");
        for (String options : reasons.keySet()) {
            ProcessBuilder call = Distribution.call(Distribution.LAUNCHER, BrokerProcess.onFreePorts(dataDirectory()));
            call.environment().put("HEDDLE_JAVA_OPTS", options);

            try (BrokerProcess broker = BrokerProcess.start(call)) {
                assertThat(broker.awaitEnd(REASONABLE).onlySentence())
                        .contains("HEDDLE_JAVA_OPTS, which is '" + options + "'", reasons.get(options))
                        .contains("correct or remove it");
            }
        }
    }

    @Test
    void wrongSettingsAreRejectedBeforeAnythingIsCreated() throws Exception {
        Path untouched = directory.resolve("untouched");

        assertThat(BrokerProcess.startInVain(untouched, "--heddle.mqtt.port=abc")
                        .onlySentence())
                .contains("heddle.mqtt.port", "must be a number");

        assertThat(untouched).doesNotExist();
    }

    @Test
    void unreachableKafka() throws Exception {
        assertThat(refusal("--heddle.kafka.bootstrap-servers=" + NOBODY_THERE, "--heddle.kafka.connect-timeout=2s"))
                .contains("Kafka does not answer at " + NOBODY_THERE, "correct heddle.kafka.bootstrap-servers");
    }

    @Test
    void anotherBucketCountThanTheStoredOne() throws Exception {
        assertThat(refusal("--heddle.buckets.count=8"))
                .contains("16 partitions", "heddle.buckets.count is 8", "set it back to 16");
    }

    /** The start fails only after the broker has started its own Kafka. */
    @Test
    void anAdditionalProfileKeepsTheProfileOfTheLauncher() throws Exception {
        assertThat(refusal("--spring.profiles.active=mine", "--heddle.buckets.count=8"))
                .contains("16 partitions", "heddle.buckets.count is 8");
    }
}
