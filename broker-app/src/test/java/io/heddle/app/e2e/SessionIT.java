package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lifetime of sessions on each delivery path, and the end of a connection when the broker stops. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SessionIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true", DeliveryPath.SETTING);
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    /** Sessions of an earlier test that end late would count in this one. */
    @BeforeEach
    void waitForTheClientsOfEarlierTests() {
        broker.awaitConnected(0);
    }

    @Conformance(
            value = {"MQTT-3.1.2-5", "MQTT-3.1.2-6", "MQTT-3.1.2-23", "MQTT-3.2.2-3"},
            mqtt311 = {"MQTT-3.1.2-4", "MQTT-3.2.2-2"})
    @OnEachPersistentPath
    void persistentSessionIsResumedWithItsSubscriptions(Library library, DeliveryPath path) throws Exception {
        String topic = "there/" + library + "/" + path;
        String clientId = path.newClientId();
        try (LibraryClient client = library.client(broker.mqttPort(), clientId)) {
            assertThat(client.connect(Connecting.persistently())).isFalse();
            client.subscribe(topic, 1);
            client.disconnect();
            Soon.until(() -> !broker.isConnected(clientId));
            assertThat(broker.hasSession(clientId)).isTrue();

            // MQTT 3.1 has no such flag.
            assertThat(client.connect(Connecting.persistently())).isEqualTo(library != Library.PAHO_31);
            broker.publish(topic, "m", 1);

            Sentinel sentinel = Sentinel.publish(broker, topic, 1);
            assertThat(sentinel.otherPayloadsOf(client)).containsExactly("m");
        }
    }

    @Conformance(
            value = {"MQTT-3.1.2-4", "MQTT-3.1.4-4", "MQTT-3.2.2-2"},
            mqtt311 = {"MQTT-3.1.2-6", "MQTT-3.1.4-3", "MQTT-3.2.2-1"})
    @OnEachPersistentPath
    void cleanStartDiscardsTheOldSessionAndItsQueue(Library library, DeliveryPath path) throws Exception {
        String topic = "clean/" + library + "/" + path;
        String clientId = path.newClientId();
        double ended = broker.dropped("session_ended");
        try (LibraryClient old = library.client(broker.mqttPort(), clientId)) {
            old.connect(Connecting.persistently());
            old.subscribe(topic, 1);
            old.disconnect();
        }
        Soon.until(() -> !broker.isConnected(clientId));
        broker.publish(topic, "waits in vain", 1);
        broker.letLoopsCatchUp();

        try (LibraryClient fresh = library.client(broker.mqttPort(), clientId)) {
            assertThat(fresh.connect(Connecting.clean())).isFalse();
            Soon.untilAsserted(() -> assertThat(broker.dropped("session_ended")).isEqualTo(ended + 1));
            broker.publish(topic, "nobody subscribes", 1);
            fresh.subscribe(topic + "/end", 1);

            Sentinel sentinel = Sentinel.publish(broker, topic + "/end", 1);
            assertThat(sentinel.otherPayloadsOf(fresh)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCleanSessionEndsWithItsConnection(Library library) throws Exception {
        String clientId = Library.newClientId();
        try (LibraryClient client = library.client(broker.mqttPort(), clientId)) {
            client.connect(Connecting.clean());
            assertThat(broker.hasSession(clientId)).isTrue();
        }

        Soon.until(() -> !broker.hasSession(clientId));
    }

    @Conformance({"MQTT-3.1.2-23", "MQTT-4.1.0-2"})
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT")
    void sessionAndItsQueueExpireWhenTheClientStaysAway(DeliveryPath path) throws Exception {
        String topic = "expiring/" + path;
        String written = path == DeliveryPath.DEVICE ? "heddle.queues.messages" : "heddle.applications.appended";
        RawConnect connect = new RawConnect(path.newClientId()).persistent(1).receiveMaximum(1);
        double expired = broker.count("heddle.sessions.expired");
        double ended = broker.dropped("session_ended");
        double before = broker.count(written);
        RawClient client = connect.open(broker.mqttPort()).subscribe(topic, 1);
        broker.publish(topic, "unacknowledged", 1);
        broker.publish(topic, "waiting", 1);
        assertThat(client.message().payload()).isEqualTo("unacknowledged");
        Soon.until(() -> broker.count(written) == before + 2);

        long goneNanos = System.nanoTime();
        client.cut();
        Soon.until(() -> !broker.hasSession(connect.clientId()));

        assertThat(Duration.ofNanos(System.nanoTime() - goneNanos)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        Soon.untilAsserted(() -> {
            assertThat(broker.count("heddle.sessions.expired")).isEqualTo(expired + 1);
            assertThat(broker.dropped("session_ended")).isEqualTo(ended + 2);
        });
        // An expiry of a second would end in the middle of another test.
        try (RawClient back =
                new RawConnect(connect.clientId()).persistent(3_600).open(broker.mqttPort())) {
            assertThat(back.sessionPresent()).isFalse();
            assertThat(back.messagesUntilPing()).isEmpty();
        }
    }

    @Test
    void brokerStopSendsServerShuttingDown() {
        Queue<String> reasons = new ConcurrentLinkedQueue<>();
        Mqtt5BlockingClient client = ListenerAddress.tcp(broker.mqttPort())
                .hiveMq(Library.newClientId())
                .useMqttVersion5()
                .addDisconnectedListener(event -> reasons.add(
                        event.getCause() instanceof Mqtt5DisconnectException disconnected
                                ? disconnected.getMqttMessage().getReasonCode().name()
                                : String.valueOf(event.getCause())))
                .buildBlocking();
        client.connect();

        stopBroker();
        try {
            Soon.until(() -> !reasons.isEmpty());
            assertThat(reasons).containsExactly("SERVER_SHUTTING_DOWN");
        } finally {
            startBroker();
        }
    }
}
