package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.heddle.standalone.testkit.Relay;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two broker processes, of which the first reaches Kafka through a relay only. The second connects to Kafka's listener for Kafka nodes, which
 * advertises its own port, while that for clients advertises the port of the relay.
 */
@OwnProcesses(because = "a broker that is declared dead ends its process")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class CutOffBrokerIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int NODE_IS_OVER = 75;
    private static final String TOPIC = "cut-off/test";

    @TempDir
    static Path directory;

    private static Relay relay;
    private static Servers servers;

    @BeforeAll
    static void start() throws Exception {
        relay = Relay.open();
        servers = Servers.builder(directory)
                .tuning(Tuning.OUTAGE_TESTS)
                .kafkaAdvertisedPorts(List.of(relay.port()))
                .start();
        servers.awaitReady(READY);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
        relay.close();
    }

    @BeforeEach
    void connect() {
        relay.forwardTo(URI.create("kafka://" + servers.endpoints().kafkaBootstrapServers())
                .getPort());
    }

    @Test
    void aBrokerThatAloneLosesKafkaEndsAndItsClientsFindAnotherOne() throws Exception {
        try (BrokerProcess first = behindTheRelay();
                BrokerProcess second = beside()) {
            RawConnect subscriber = persistent();
            RawClient subscribed = subscriber.open(first.mqttPort()).subscribe(TOPIC, 1);
            RawClient publishing = persistent().open(first.mqttPort());

            relay.cut();
            second.awaitDeclarationOfDeath();
            publishing.publish(TOPIC, "must not be acknowledged", 1, 1, false);

            Ended ended = first.awaitEnd(ENDS_WITHIN);
            assertThat(ended.status()).isEqualTo(NODE_IS_OVER);
            assertThat(ended.errors() + ended.output())
                    .contains("another node has declared this node dead while Kafka did not answer it");
            assertThat(publishing.packetsUntilEnd()).noneMatch(packet -> packet.startsWith(PUBACK.name()));
            publish(second);
            subscribed.close();
            try (RawClient back = subscriber.open(second.mqttPort())) {
                assertThat(back.sessionPresent()).isTrue();
                assertThat(back.take(1)).extracting(RawPublish::payload).containsExactly("message");
                assertThat(back.packetsUntilPing()).isEmpty();
                back.disconnect((byte) 0);
            }
        }
    }

    @Test
    void noBrokerEndsWhileKafkaIsAwayForAll() throws Exception {
        try (BrokerProcess first = behindTheRelay();
                BrokerProcess second = beside()) {
            RawClient client = persistent().open(first.mqttPort());
            SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
            kafka.pause();
            try {
                long began = System.nanoTime();
                Soon.until(
                        () -> System.nanoTime() - began > LEASE.multipliedBy(3).toNanos());
            } finally {
                kafka.resume();
            }

            client.publish(TOPIC, "message", 1, 1, false);
            client.expect(PUBACK);
            publish(second);
            client.disconnect((byte) 0);
        }
    }

    private static BrokerProcess behindTheRelay() throws Exception {
        return broker("cut-off-a", relay.port()).awaitReady();
    }

    private static BrokerProcess beside() throws Exception {
        Properties ports = new Properties();
        try (InputStream stored = Files.newInputStream(directory.resolve("ports.properties"))) {
            ports.load(stored);
        }
        return broker("cut-off-b", Integer.parseInt(ports.getProperty("kafka.0.internal")))
                .awaitReady();
    }

    private static BrokerProcess broker(String id, int kafkaPort) throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings(
                id,
                servers.endpoints(),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.kafka.bootstrap-servers=127.0.0.1:" + kafkaPort,
                "--heddle.cluster.lease=" + LEASE.toSeconds() + "s",
                "--heddle.cluster.heartbeat-interval=300ms"));
    }

    private static RawConnect persistent() {
        return new RawConnect(MqttVersion.MQTT_5, Library.newClientId()).persistent(3_600);
    }

    private static void publish(BrokerProcess broker) {
        try (RawClient publisher = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            publisher.publish(TOPIC, "message", 1, 1, false);
            publisher.expect(PUBACK);
        }
    }
}
