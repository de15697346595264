package io.heddle.app.launcher;

import static com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One data directory through many restarts of the broker and crashes of its child servers. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@Tag("alone")
final class RestartsIT {
    private static final String USER = "sensors";
    private static final String PASSWORD = "correct horse";
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(10);
    private static final Duration BACK_WITHIN = Duration.ofMinutes(3);

    /** Exit status of a JVM that ends by a signal: 128 plus the signal's number. */
    private static final int AFTER_INT = 130;

    private static final int AFTER_KILL = 137;
    private static final int AFTER_TERM = 143;

    private interface Ending {
        void end(BrokerProcess broker) throws Exception;
    }

    private record Round(String how, Ending ending) {}

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path dataDirectory;

    private final List<Integer> ports = new ArrayList<>();

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void restartsAndCrashesKeepTheDataAndLeaveNoProcessAndNoPort() throws Exception {
        List<Round> rounds = List.of(
                new Round("TERM", this::terminate),
                new Round("kill -9 of the broker", this::kill),
                new Round("kill -9 of Kafka, Redis and PostgreSQL in turn, then Ctrl-C at the terminal", broker -> {
                    killAndAwaitReturn(broker, Server.KAFKA);
                    killAndAwaitReturn(broker, Server.REDIS);
                    killAndAwaitReturn(broker, Server.POSTGRESQL);
                    pressControlC(broker);
                }),
                new Round("kill -9 of Kafka, and TERM at once", broker -> {
                    killChild(broker, Server.KAFKA);
                    terminate(broker);
                }),
                new Round("kill -9 of the broker and of its children at once", broker -> {
                    killChild(broker, Server.REDIS);
                    killChild(broker, Server.POSTGRESQL);
                    kill(broker);
                }));

        Endpoints first;
        StoredValues values;
        BrokerProcess broker = start();
        try {
            first = endpoints();
            assertThat(Distribution.run(PASSWORD, "credentials", "add", "--username", USER, "--data-dir", directory())
                            .status())
                    .isZero();
            values = new StoredValues(first);
            values.prepare();
            assertServes(broker);
            for (Round round : rounds) {
                values.write(round.how());
                round.ending().end(broker);
                broker.close();
                broker = start();
                report(broker, round);
                assertThat(endpoints()).as("ports after %s", round.how()).isEqualTo(first);
                assertThat(broker.output()).doesNotContain("administrator");
                values.assertAllStored();
                assertServes(broker);
            }
            ports.addAll(ProcessTable.serverPorts(dataDirectory));
            assertThat(ports).hasSizeGreaterThan(6);
            terminate(broker);
        } finally {
            broker.close();
        }

        ProcessTable.assertNothingRunsOn(dataDirectory);
        ports.forEach(ProcessTable::assertClosed);
        assertThat(Servers.runningEndpoints(dataDirectory)).isEmpty();
    }

    private BrokerProcess start() throws Exception {
        ProcessBuilder call = Distribution.call(Distribution.LAUNCHER, BrokerProcess.onFreePorts(dataDirectory));
        // The leader of a process group, like a command that a user starts in a shell.
        call.command().addFirst("setsid");
        BrokerProcess broker = BrokerProcess.start(call).awaitReady();
        ports.add(broker.mqttPort());
        ports.add(broker.httpPort());
        return broker;
    }

    private static void report(BrokerProcess broker, Round round) {
        System.out.printf(
                "ready %.1f s after the start that followed %s%n",
                broker.untilReady().toMillis() / 1e3, round.how());
    }

    private String directory() {
        return dataDirectory.toString();
    }

    private Endpoints endpoints() {
        return Servers.runningEndpoints(dataDirectory).orElseThrow();
    }

    private static void assertServes(BrokerProcess broker) throws Exception {
        await().atMost(BACK_WITHIN)
                .until(() -> BrokerProcess.statusOf(broker.httpPort(), "/actuator/health/readiness") == 200);
        Visitor.anonymous().exchangeAMessage(broker.mqttPort());
        Visitor.user(USER, PASSWORD).exchangeAMessage(broker.mqttPort());
        assertThat(Visitor.user(USER, "wrong").connect(broker.mqttPort())).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
    }

    private void killAndAwaitReturn(BrokerProcess broker, Server server) throws Exception {
        long killed = killChild(broker, server);
        await().atMost(BACK_WITHIN)
                .until(() -> ProcessTable.child(broker, server)
                        .filter(child -> child.pid() != killed)
                        .isPresent());
        // A killed PostgreSQL recovers before it answers; meanwhile clients are refused.
        await().atMost(BACK_WITHIN)
                .ignoreException(Mqtt5ConnAckException.class)
                .untilAsserted(() -> assertServes(broker));
        await().atMost(BACK_WITHIN).until(() -> BrokerProcess.statusOf(broker.httpPort(), "/actuator/health") == 200);
        // Messages of libraries about lost connections go to the log.
        assertThat(broker.errors().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("exited unexpectedly with status 137"));
    }

    private static long killChild(BrokerProcess broker, Server server) {
        long pid = ProcessTable.child(broker, server).orElseThrow().pid();
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
        return pid;
    }

    private void terminate(BrokerProcess broker) throws Exception {
        broker.terminate();
        assertStopped(broker, AFTER_TERM);
    }

    private void pressControlC(BrokerProcess broker) throws Exception {
        broker.interruptGroup();
        assertStopped(broker, AFTER_INT);
    }

    /** Asserts that the broker has ended with this status, together with all its child processes. */
    private void assertStopped(BrokerProcess broker, int status) throws Exception {
        Ended ended = broker.awaitEnd(STOPPED_WITHIN);
        assertThat(ended.status()).isEqualTo(status);
        assertThat(ProcessTable.naming(dataDirectory)).isEmpty();
        System.out.printf("stopped after %.1f s%n", ended.took().toMillis() / 1e3);
    }

    /** Kills the broker; the guards or the next start end its child processes. */
    private void kill(BrokerProcess broker) throws Exception {
        broker.kill();
        assertThat(broker.awaitEnd(STOPPED_WITHIN).status()).isEqualTo(AFTER_KILL);
    }
}
