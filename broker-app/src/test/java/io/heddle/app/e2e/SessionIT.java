package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long sessions live, and what CONNACK says of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SessionIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    /** Sessions of an earlier test that still end would count in this one. */
    @BeforeEach
    void waitForTheClientsOfEarlierTests() {
        broker.awaitConnected(0);
    }

    @ParameterizedTest
    @EnumSource
    void aPersistentSessionIsThereWithItsSubscriptions(Library library) throws Exception {
        String topic = "there/" + library;
        String clientId = Library.newClientId();
        try (LibraryClient client = library.client(broker.mqttPort(), clientId)) {
            assertThat(client.connect(Connecting.persistently())).isFalse();
            client.subscribe(topic, 1);
            client.disconnect();
            Soon.until(() -> !broker.isConnected(clientId));
            assertThat(broker.hasSession(clientId)).isTrue();

            // MQTT 3.1 has no such flag.
            assertThat(client.connect(Connecting.persistently())).isEqualTo(library != Library.PAHO_31);
            broker.publish(topic, "m", 1);

            Soon.until(() -> !client.received().isEmpty());
            assertThat(client.payloads()).containsExactly("m");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCleanStartEndsTheOldSessionWithWhatWaitsInIt(Library library) throws Exception {
        String topic = "clean/" + library;
        String clientId = Library.newClientId();
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
            broker.publish(topic + "/end", "end", 1);

            Soon.until(() -> !fresh.received().isEmpty());
            assertThat(fresh.payloads()).containsExactly("end");
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

    @Test
    void aSessionExpiresWithWhatWaitsInItWhenItsClientDoesNotComeBack() throws Exception {
        RawConnect connect = new RawConnect(Library.newClientId()).persistent(1).receiveMaximum(1);
        double expired = broker.count("heddle.sessions.expired");
        double ended = broker.dropped("session_ended");
        double queued = broker.count("heddle.queues.messages");
        RawClient client = connect.open(broker.mqttPort()).subscribe("expiring", 1);
        broker.publish("expiring", "unacknowledged", 1);
        broker.publish("expiring", "waiting", 1);
        assertThat(client.message().payload()).isEqualTo("unacknowledged");
        Soon.until(() -> broker.count("heddle.queues.messages") == queued + 2);

        long goneNanos = System.nanoTime();
        client.cut();
        Soon.until(() -> !broker.hasSession(connect.clientId()));

        assertThat(Duration.ofNanos(System.nanoTime() - goneNanos)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        Soon.untilAsserted(() -> {
            assertThat(broker.count("heddle.sessions.expired")).isEqualTo(expired + 1);
            assertThat(broker.dropped("session_ended")).isEqualTo(ended + 2);
        });
        try (RawClient back = connect.open(broker.mqttPort())) {
            assertThat(back.sessionPresent()).isFalse();
        }
    }

    @Test
    void disconnectChangesTheExpiry() {
        HiveMq5Client client = new HiveMq5Client(broker.mqttPort(), Library.newClientId());
        Mqtt5BlockingClient library = client.library();
        client.connect(Connecting.persistently());
        library.disconnectWith().sessionExpiryInterval(0).send();

        Soon.until(() -> !broker.hasSession(client.clientId()));
    }

    @Test
    void whatIsOfferedIsAnnounced() {
        HiveMq5Client client = new HiveMq5Client(broker.mqttPort(), Library.newClientId());

        var restrictions = client.library().connect().getRestrictions();

        assertThat(restrictions.getMaximumQos().getCode()).isEqualTo(2);
        assertThat(restrictions.isRetainAvailable()).isTrue();
        assertThat(restrictions.isWildcardSubscriptionAvailable()).isTrue();
        assertThat(restrictions.isSharedSubscriptionAvailable()).isTrue();
        assertThat(restrictions.areSubscriptionIdentifiersAvailable()).isTrue();
        assertThat(restrictions.getReceiveMaximum()).isEqualTo(1_000);
        client.close();
    }
}
