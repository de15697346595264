package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import io.heddle.standalone.testkit.Relay;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Publication and removal of wills. A watcher subscribes to all wills. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WillIT {
    private static final int KEEP_ALIVE_TIMEOUT = 0x8D;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private LibraryClient watcher;

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
        watcher = Library.HIVEMQ_5.connected(broker.mqttPort());
        watcher.subscribe("wills/#", 2);
    }

    @AfterAll
    void stopBroker() {
        watcher.close();
        broker.close();
    }

    private void expect(String topic, String payload, int qos) {
        Soon.until(() -> isPublished(topic));
        assertThat(watcher.received())
                .filteredOn(each -> each.topic().equals(topic))
                .containsExactly(new ReceivedMessage(topic, payload, qos, false));
    }

    private boolean isPublished(String topic) {
        return watcher.received().stream().anyMatch(each -> each.topic().equals(topic));
    }

    /** Returns when the watcher has received everything that was published before. */
    private void letTheWatcherCatchUp() throws Exception {
        String last = "wills/last/" + Library.newClientId();
        try (LibraryClient publisher = Library.HIVEMQ_311.connected(broker.mqttPort())) {
            publisher.publish(last, "", 1);
        }
        Soon.until(() -> isPublished(last));
    }

    @Conformance(value = "MQTT-3.1.2-8", mqtt311 = "MQTT-3.1.2-8")
    @ParameterizedTest
    @EnumSource
    void brokenConnectionPublishesTheWill(Library library) throws Exception {
        String topic = "wills/broken/" + library;
        try (Relay relay = Relay.open();
                LibraryClient dying = library.client(relay.port(), Library.newClientId())) {
            relay.forwardTo(broker.mqttPort());
            dying.connect(Connecting.clean().withWill(topic, "gone", 2, false));

            relay.cut();

            expect(topic, "gone", 2);
            Soon.until(() -> !dying.isConnected());
        }
    }

    @Conformance(
            value = {"MQTT-3.1.2-10", "MQTT-3.14.4-3"},
            mqtt311 = {"MQTT-3.1.2-10", "MQTT-3.14.4-3"})
    @ParameterizedTest
    @EnumSource
    void normalDisconnectDiscardsTheWill(Library library) throws Exception {
        String topic = "wills/none/" + library;
        String clientId = Library.newClientId();
        try (LibraryClient leaving = library.client(broker.mqttPort(), clientId)) {
            leaving.connect(Connecting.clean().withWill(topic, "not gone", 1, false));
            leaving.disconnect();
        }

        Soon.until(() -> !broker.hasSession(clientId));
        letTheWatcherCatchUp();
        assertThat(isPublished(topic)).isFalse();
    }

    @Conformance(
            value = {"MQTT-3.1.2-8", "MQTT-3.1.2-22"},
            mqtt311 = {"MQTT-3.1.2-8", "MQTT-3.1.2-24"})
    @Test
    void keepAliveTimeoutPublishesTheWill() {
        double timeouts = broker.count("heddle.sessions.keep.alive.timeouts");
        Map<MqttVersion, RawClient> silent = new EnumMap<>(MqttVersion.class);
        for (MqttVersion version : MqttVersion.values()) {
            silent.put(
                    version,
                    new RawConnect(version, Library.newClientId())
                            .keepAliveSeconds(1)
                            .will("wills/silent/" + version, "silent", 0)
                            .open(broker.mqttPort()));
        }

        silent.forEach((version, client) -> {
            int expected = version == MqttVersion.MQTT_5 ? KEEP_ALIVE_TIMEOUT : RawClient.NO_REASON;
            assertThat(client.closedBecause()).isEqualTo(expected);
            client.close();
            expect("wills/silent/" + version, "silent", 1);
        });
        assertThat(broker.count("heddle.sessions.keep.alive.timeouts")).isEqualTo(timeouts + silent.size());
    }

    @Conformance(value = "MQTT-3.1.2-15", mqtt311 = "MQTT-3.1.2-17")
    @ParameterizedTest
    @EnumSource
    void retainedWillReachesLaterSubscribers(Library library) throws Exception {
        String topic = "wills/retained/" + library;
        try (Relay relay = Relay.open();
                LibraryClient dying = library.client(relay.port(), Library.newClientId());
                LibraryClient later = Library.HIVEMQ_311.connected(broker.mqttPort())) {
            relay.forwardTo(broker.mqttPort());
            dying.connect(Connecting.clean().withWill(topic, "gone", 1, true));
            relay.cut();
            expect(topic, "gone", 1);
            Soon.until(() -> !dying.isConnected());

            later.subscribe(topic, 1);

            Soon.until(() -> !later.received().isEmpty());
            assertThat(later.received()).containsExactly(new ReceivedMessage(topic, "gone", 1, true));
        }
    }
}
