package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output of the first start and of later starts. Runs alone, because it measures the duration of a start. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@Tag("alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LauncherIT {
    private static final String READINESS = "/actuator/health/readiness";
    private static final Duration WARM_START_WITHIN = Duration.ofSeconds(12);
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(10);
    private static final int MEASUREMENTS = 3;
    private static final int LAST = Integer.MAX_VALUE;

    /** Longest delay between the writing and the arrival of a line. */
    private static final Duration PIPE = Duration.ofMillis(500);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerProcess broker;

    private int refusals;
    private long upNanos;

    /** Polls the readiness probe from the first moment on. */
    @BeforeAll
    void firstStart() throws IOException {
        int httpPort = freePort();
        broker = BrokerProcess.start(Distribution.callAsUsersDo(
                Distribution.LAUNCHER,
                BrokerProcess.onFreePorts(
                        dataDirectory(),
                        "--http-port=" + httpPort,
                        "--heddle.http.probe-port=0",
                        "--heddle.mqtt.maximum-connections=" + Integer.MAX_VALUE)));
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> isUp(httpPort));
        upNanos = System.nanoTime();
        broker.awaitReady();
    }

    @AfterAll
    void stop() {
        broker.close();
        ProcessTable.assertNothingRunsOn(directory);
    }

    private static Path dataDirectory() {
        return directory.resolve("data");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean isUp(int httpPort) throws IOException, InterruptedException {
        assertThat(broker.isAlive()).as(broker.errors()).isTrue();
        try {
            int status = BrokerProcess.statusOf(httpPort, READINESS);
            if (status == 503) {
                refusals++;
            }
            return status == 200;
        } catch (ConnectException | HttpTimeoutException notListeningYet) {
            return false;
        }
    }

    @Test
    void readinessIsUpWhenTheBrokerAnnouncesItAndNotBefore() {
        assertThat(refusals).as("answers that it is not ready").isPositive();
        assertThat(upNanos).isGreaterThan(broker.readyNanos().orElseThrow() - PIPE.toNanos());
    }

    @Test
    void theFirstStartAnnouncesAddressesAndDirectory() {
        assertThat(broker.output().lines()).containsOnlyOnce(BrokerProcess.READY);
        assertThat(broker.output().lines()).last().isEqualTo(BrokerProcess.READY);
        assertThat(broker.announced("mqtt")).matches("tcp://127\\.0\\.0\\.1:\\d+");
        assertThat(broker.announced("http")).matches("http://127\\.0\\.0\\.1:\\d+");
        assertThat(broker.announced("data")).isEqualTo(dataDirectory().toString());
        assertThat(broker.announced("anonymous")).isEqualTo("on, loopback only");
        assertThat(broker.announced("connections"))
                .matches("at most \\d+ instead of heddle\\.mqtt\\.maximum-connections=2147483647, "
                        + "because this process may open only \\d+ files .*");
        assertThat(broker.errors()).isEmpty();
    }

    @Test
    void thePortForProbesServesTheHealthAndNothingElse() throws Exception {
        int port = URI.create(broker.announced("probes")).getPort();

        for (String group : List.of("liveness", "readiness", "serving")) {
            assertThat(BrokerProcess.statusOf(port, "/actuator/health/" + group))
                    .as(group)
                    .isEqualTo(200);
        }
        assertThat(BrokerProcess.statusOf(port, "/api/v1/node")).isEqualTo(404);
        assertThat(BrokerProcess.statusOf(broker.httpPort(), READINESS)).isEqualTo(200);
    }

    @Test
    void theAdministratorsPasswordIsShownButNotLogged() throws IOException {
        var shown = Pattern.compile("admin, password (\\S{16,}) \\(shown only now\\)")
                .matcher(broker.announced("administrator"));
        assertThat(shown.matches()).isTrue();
        assertThat(dataDirectory().resolve("log/heddle.log")).content().doesNotContain(shown.group(1));
    }

    @Test
    void onlyTheBrokersUserCanReadTheData() throws IOException {
        for (Path each : List.of(dataDirectory(), dataDirectory().resolve("log"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .as("%s", each)
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aSecondBrokerOnTheSameDataIsRejectedAndTheFirstContinues() throws Exception {
        Ended second = BrokerProcess.startInVain(dataDirectory());

        assertThat(second.onlySentence())
                .contains(dataDirectory().toString(), "pid " + broker.pid(), "--data-dir (heddle.standalone.data-dir)");
        Visitor.anonymous().exchangeAMessage(broker.mqttPort());
        assertThat(BrokerProcess.statusOf(broker.httpPort(), "/actuator/health"))
                .isEqualTo(200);
    }

    /**
     * Calls the launcher through a link in another directory, with a relative data directory. The fastest of up to three starts counts,
     * since the machine may be busy with other work.
     */
    @Test
    @Order(LAST)
    void aLaterStartTakesLessThanTwelveSeconds() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("broker"), Distribution.LAUNCHER);
        List<Duration> took = new ArrayList<>();
        do {
            broker.terminate();
            broker.awaitEnd(STOPPED_WITHIN);
            assertServersWereStoppedLast();
            ProcessBuilder call = Distribution.callAsUsersDo(
                    Path.of(".").resolve(link.getFileName()),
                    BrokerProcess.onFreePorts(directory.relativize(dataDirectory())));
            broker = BrokerProcess.start(call.directory(directory.toFile())).awaitReady();
            took.add(broker.untilReady());
            System.out.printf("warm start: %.1f s%n", took.getLast().toMillis() / 1e3);
        } while (took.size() < MEASUREMENTS && took.getLast().compareTo(WARM_START_WITHIN) >= 0);

        assertThat(Collections.min(took)).isLessThan(WARM_START_WITHIN);
        assertThat(broker.announced("data")).isEqualTo(dataDirectory().toString());
        assertThat(broker.output()).doesNotContain("administrator").doesNotContain("password");
        Visitor.anonymous().exchangeAMessage(broker.mqttPort());
    }

    /** PostgreSQL would log connections that are open when it stops. */
    private static void assertServersWereStoppedLast() throws IOException {
        assertThat(dataDirectory().resolve("log/heddle.log"))
                .content()
                .containsSubsequence(
                        "The connections to Kafka, Redis and PostgreSQL are closed",
                        "Stopping the servers",
                        "The servers have stopped: tookMillis=");
        assertThat(dataDirectory().resolve("log/postgresql-0.log"))
                .content()
                .doesNotContain("due to administrator command");
    }
}
