package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker with many stored sessions, of which each has one subscription, is killed; another one takes its sessions over. There are as many
 * sessions as the other broker allows, so that it starts without room for another one. The property {@code heddle.test.sessions} is the
 * number of sessions. The test has its own servers.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class ManySessionsIT {
    private static final Logger log = LoggerFactory.getLogger(ManySessionsIT.class);

    private static final int SESSIONS = Integer.getInteger("heddle.test.sessions", 5_000);
    private static final int CLIENTS = 20;
    private static final int ROOM_FOR_CLIENTS = SESSIONS + 2 * CLIENTS;
    private static final int EXPIRY_SECONDS = 3_600;
    private static final Duration READY = Duration.ofMinutes(2);

    @Test
    void theOtherBrokerKnowsAllSessions(@TempDir Path directory) throws Exception {
        try (Servers servers =
                Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start()) {
            servers.awaitReady(READY);
            try (BrokerProcess empty = node(servers, "many-0", SESSIONS).awaitReady()) {
                log.info(
                        "Start of a broker without sessions: {} ms",
                        empty.untilReady().toMillis());
            }
            StoredSessions.write(servers, "filled", SESSIONS);
            try (BrokerProcess first = node(servers, "many-a", ROOM_FOR_CLIENTS).awaitReady();
                    BrokerProcess second = node(servers, "many-b", SESSIONS).awaitReady()) {
                log.info(
                        "Start of a broker with {} sessions: {} ms",
                        SESSIONS,
                        first.untilReady().toMillis());
                beginSessions(first.mqttPort());
                log.info("Heap of the other broker before the takeover: {}", heap(second));
                long killed = System.nanoTime();
                first.kill();
                second.awaitDeclarationOfDeath();
                try (RawClient client = new RawConnect("publisher").open(second.mqttPort())) {
                    log.info(
                            "CONNACK of the other broker after kill -9 with {} sessions: {} ms",
                            SESSIONS,
                            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed));
                    for (int i = 0; i < CLIENTS; i++) {
                        assertThatItsSubscriptionHolds(second.mqttPort(), i, client);
                    }
                    assertThatThrownBy(() -> new RawConnect("one too many").open(second.mqttPort()))
                            .hasMessageContaining("QUOTA_EXCEEDED");
                }
                log.info("Heap of the other broker after the takeover: {}", heap(second));
            }
        }
    }

    private static void assertThatItsSubscriptionHolds(int port, int number, RawClient publisher) {
        publisher.publish("many/" + number, "m" + number, 1, 1, false);
        publisher.expect(MqttMessageType.PUBACK);
        try (RawClient member = connect(number).open(port)) {
            assertThat(member.sessionPresent()).isTrue();
            assertThat(member.message().payload()).isEqualTo("m" + number);
        }
    }

    private static void beginSessions(int port) {
        for (int i = 0; i < CLIENTS; i++) {
            RawClient client = connect(i).open(port);
            client.subscribe("many/" + i, 1);
            client.leave();
        }
    }

    private static RawConnect connect(int number) {
        return new RawConnect("many-" + number).persistent(EXPIRY_SECONDS);
    }

    /** Returns the lines of the class histogram with the sum of all live objects. */
    private static String heap(BrokerProcess broker) throws Exception {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(broker.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        return histogram
                .inputReader()
                .lines()
                .filter(line -> line.startsWith("Total"))
                .toList()
                .toString();
    }

    private static BrokerProcess node(Servers servers, String id, int maximumSessions) throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.defaultSettings(
                id,
                servers.endpoints(),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.session.memory-limit=180MB",
                "--heddle.session.maximum-sessions=" + maximumSessions));
    }
}
