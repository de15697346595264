package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PINGRESP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.netty.handler.codec.mqtt.MqttMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka, Redis and PostgreSQL are stalled, one at a time. Work that needs the stalled server waits in order; all other work
 * continues. The test has its own servers.
 */
@Tag("ci")
final class StoppedServersIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration ALERTED_WITHIN = Duration.ofSeconds(100);
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(25);
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);
    private static final String STORE_UNUSABLE = "HeddleStoreUnusable: The node cannot use the store redis.";
    private static final int RECEIVE_MAXIMUM = 10;
    private static final int MAXIMUM_QUEUED = 200;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    @TempDir
    static Path directory;

    private static Servers servers;
    private static BrokerUnderTest broker;

    @BeforeAll
    static void start() throws Exception {
        servers = Servers.builder(directory).tuning(Tuning.TESTS).start();
        servers.awaitReady(READY);
        broker = BrokerUnderTest.startOn(
                servers.endpoints(),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.events.kinds=connected,disconnected,subscriptions_changed,dropped",
                "--heddle.mqtt.event-loops=2",
                // Kafka is away for less than the routing lease, which is half of this.
                "--heddle.cluster.lease=60s",
                "--heddle.health.check-interval=1s",
                "--heddle.health.down-after=2s",
                // A health check waits for both.
                "--heddle.postgres.connect-timeout=5s",
                "--heddle.postgres.query-timeout=5s",
                "--heddle.redis.command-timeout=5s",
                "--heddle.session.receive-maximum=" + RECEIVE_MAXIMUM,
                "--heddle.session.maximum-queued-messages=" + MAXIMUM_QUEUED);
    }

    @AfterAll
    static void stop() {
        try {
            broker.close();
        } finally {
            servers.close();
        }
    }

    private static RawConnect raw() {
        return new RawConnect(Library.newClientId());
    }

    private static RawClient open() {
        return raw().open(broker.mqttPort());
    }

    private static RawClient persistent(String filter) {
        return raw().persistent(3_600).open(broker.mqttPort()).subscribe(filter, 1);
    }

    /** Asserts that the broker reads from this client and has sent it nothing. */
    private static void expectOnlyPingAnswered(RawClient client) throws IOException {
        client.send(MqttMessage.PINGREQ);
        assertThat(client.next().fixedHeader().messageType()).isEqualTo(PINGRESP);
    }

    /** Asserts that clients with clean sessions can connect, subscribe, publish and receive. */
    private static void expectServed() {
        try (RawClient subscriber = open().subscribe("served", 1);
                RawClient publisher = open()) {
            for (int packetId = 1; packetId <= 2 * RECEIVE_MAXIMUM; packetId++) {
                publisher.publish("served", "m" + packetId, 1, packetId, false);
                assertThat(publisher.expect(PUBACK).packetId()).isEqualTo(packetId);
                RawPublish message = subscriber.message();
                assertThat(message.payload()).isEqualTo("m" + packetId);
                subscriber.answer(PUBACK, message.packetId());
            }
        }
    }

    @Test
    void kafkaStallDelaysOnlyAcknowledgementsThatNeedKafka() throws Exception {
        SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
        try (RawClient subscriber = persistent("kept");
                RawClient publisher = open()) {
            kafka.pause();
            try {
                for (int packetId = 1; packetId <= RECEIVE_MAXIMUM; packetId++) {
                    publisher.publish("kept", "m" + packetId, 1, packetId, false);
                }
                expectOnlyPingAnswered(publisher);
                expectOnlyPingAnswered(subscriber);
                expectServed();
                expectOnlyPingAnswered(publisher);
            } finally {
                kafka.resume();
            }
            for (int packetId = 1; packetId <= RECEIVE_MAXIMUM; packetId++) {
                assertThat(publisher.expect(PUBACK).packetId()).isEqualTo(packetId);
                assertThat(subscriber.message().payload()).isEqualTo("m" + packetId);
            }
        }
    }

    @Test
    void redisStallDelaysDeliveryButNotAcknowledgements() throws Exception {
        SupervisedProcess redis = servers.process(Server.REDIS, 0);
        try (RawClient subscriber = persistent("queued");
                RawClient publisher = open()) {
            redis.pause();
            try {
                for (int packetId = 1; packetId <= RECEIVE_MAXIMUM; packetId++) {
                    publisher.publish("queued", "m" + packetId, 1, packetId, false);
                    assertThat(publisher.expect(PUBACK).packetId()).isEqualTo(packetId);
                }
                expectOnlyPingAnswered(subscriber);
                expectServed();
            } finally {
                redis.resume();
            }
            for (int packetId = 1; packetId <= RECEIVE_MAXIMUM; packetId++) {
                assertThat(subscriber.message().payload()).isEqualTo("m" + packetId);
            }
        }
    }

    @Test
    void clientThatKeepsUpReceivesTheWholeBacklogOfARedisStall() throws Exception {
        SupervisedProcess redis = servers.process(Server.REDIS, 0);
        int messages = 10 * MAXIMUM_QUEUED;
        try (RawClient subscriber = persistent("piled");
                RawClient publisher = open()) {
            redis.pause();
            try {
                for (int packetId = 1; packetId <= messages; packetId++) {
                    publisher.publish("piled", "m" + packetId, 1, packetId, false);
                    assertThat(publisher.expect(PUBACK).packetId()).isEqualTo(packetId);
                }
            } finally {
                redis.resume();
            }
            for (int number = 1; number <= messages; number++) {
                RawPublish message = subscriber.message();
                assertThat(message.payload()).isEqualTo("m" + number);
                subscriber.answer(PUBACK, message.packetId());
            }
        }
    }

    @Test
    void clientsThatNoCredentialsMentionConnectWhilePostgresStalls() throws Exception {
        SupervisedProcess postgres = servers.process(Server.POSTGRESQL, 0);
        postgres.pause();
        try {
            for (int i = 0; i < 3; i++) {
                open().leave();
            }
        } finally {
            postgres.resume();
        }
    }

    @Test
    void aStalledStoreEndsReadinessButNotService() throws Exception {
        SupervisedProcess postgres = servers.process(Server.POSTGRESQL, 0);
        try (RestAdministrator monitoring = new RestAdministrator(broker)) {
            assertThat(monitoring.text("/actuator/prometheus")).contains("heddle_");
            postgres.pause();
            try {
                await().atMost(READY).until(() -> health("readiness") == UNAVAILABLE);
                assertThat(health("serving")).isEqualTo(OK);
                assertThat(monitoring.text("/actuator/prometheus")).contains("heddle_");
            } finally {
                postgres.resume();
            }
        }
        await().atMost(READY).until(() -> health("readiness") == OK);
    }

    /** The rule HeddleStoreUnusable needs a minute, and the node looks every ten seconds. */
    @Test
    void aStoreThatStallsForAMinuteIsAnAlertUntilItIsBack() throws Exception {
        SupervisedProcess redis = servers.process(Server.REDIS, 0);
        try (RestAdministrator administrator = new RestAdministrator(broker)) {
            assertThat(alerts(administrator)).doesNotContain(STORE_UNUSABLE);
            redis.pause();
            try {
                await().atMost(ALERTED_WITHIN)
                        .pollInterval(LOOK_INTERVAL)
                        .untilAsserted(() -> assertThat(alerts(administrator)).contains(STORE_UNUSABLE));
            } finally {
                redis.resume();
            }
            await().atMost(ENDED_WITHIN)
                    .pollInterval(LOOK_INTERVAL)
                    .untilAsserted(() -> assertThat(alerts(administrator)).doesNotContain(STORE_UNUSABLE));
        }
    }

    /** Returns names and summaries. */
    private static List<String> alerts(RestAdministrator administrator) throws Exception {
        return administrator
                .get("/api/v1/alerts")
                .path("items")
                .valueStream()
                .map(each -> each.path("name").asString() + ": "
                        + each.path("summary").asString())
                .toList();
    }

    private static int health(String group) throws IOException, InterruptedException {
        return BrokerProcess.statusOf(broker.httpPort(), "/actuator/health/" + group);
    }
}
