package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Redelivery after a broken connection, for each stage of the QoS exchange, each side, and each protocol version. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedeliveryIT {
    private static final int SUCCESS = 0;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true", DeliveryPath.SETTING);
    }

    /** Acknowledgements that belong to an earlier test would count in this one. */
    @BeforeEach
    void waitForTheClientsOfEarlierTests() {
        broker.awaitConnected(0);
    }

    private static RawConnect persistent(MqttVersion version) {
        return persistent(version, DeliveryPath.DEVICE);
    }

    private static RawConnect persistent(MqttVersion version, DeliveryPath path) {
        return new RawConnect(version, path.newClientId()).persistent(3_600);
    }

    static Stream<Arguments> versionsAndPaths() {
        return DeliveryPath.persistent()
                .flatMap(path -> Arrays.stream(MqttVersion.values()).map(version -> Arguments.of(version, path)));
    }

    // From the broker to a subscriber.

    @Conformance(
            value = {"MQTT-3.3.1-1", "MQTT-4.4.0-1", "MQTT-4.6.0-1"},
            mqtt311 = {"MQTT-3.3.1-1", "MQTT-4.4.0-1", "MQTT-4.6.0-1"})
    @ParameterizedTest
    @EnumSource
    void messagesAcknowledgedOutOfOrderAreNotRedelivered(MqttVersion version) throws Exception {
        String topic = "behind/" + version;
        RawConnect connect = persistent(version);
        RawClient first = connect.open(broker.mqttPort()).subscribe(topic, 2);
        broker.publish(topic, "a", 1);
        broker.publish(topic, "b", 1);
        broker.publish(topic, "c", 2);
        broker.publish(topic, "d", 1);
        RawPublish a = first.message();
        RawPublish b = first.message();
        RawPublish c = first.message();
        RawPublish d = first.message();
        first.answer(PUBACK, b.packetId());
        first.answer(PUBREC, c.packetId());
        first.expect(PUBREL);
        first.answer(PUBCOMP, c.packetId());
        broker.lose(first, connect.clientId());

        RawClient second = connect.open(broker.mqttPort());
        assertThat(second.message()).isEqualTo(a.asDuplicate());
        assertThat(second.message()).isEqualTo(d.asDuplicate());
        assertThat(second.messagesUntilPing()).isEmpty();
        second.answer(PUBACK, a.packetId());
        second.answer(PUBACK, d.packetId());
        broker.lose(second, connect.clientId());
        try (RawClient third = connect.open(broker.mqttPort())) {
            assertThat(third.messagesUntilPing()).isEmpty();
        }
    }

    @Test
    void inFlightMessagesAreRedeliveredAfterAQueueOverflowAndEvictionsAreCounted() throws Exception {
        int published = 6_000;
        String topic = "overflow";
        double before = broker.dropped("queue_full");
        RawConnect connect = persistent(MqttVersion.MQTT_5);
        RawClient first = connect.open(broker.mqttPort()).subscribe(topic, 1);
        Set<String> got = new HashSet<>();
        List<RawPublish> unacknowledged = new ArrayList<>();
        try (RawClient publisher =
                        new RawConnect(MqttVersion.MQTT_3_1_1, Library.newClientId()).open(broker.mqttPort());
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> burst = thread.submit(() -> {
                for (int i = 1; i <= published; i++) {
                    publisher.publish(topic, "m" + i, 1, i, false);
                }
            });
            for (int i = 1; i <= 300; i++) {
                RawPublish message = first.message();
                got.add(message.payload());
                if (i <= 250) {
                    first.answer(PUBACK, message.packetId());
                } else {
                    unacknowledged.add(message);
                }
            }
            burst.get(60, TimeUnit.SECONDS);
            for (int i = 1; i <= published; i++) {
                publisher.expect(PUBACK);
            }
        }
        broker.lose(first, connect.clientId());

        try (RawClient second = connect.open(broker.mqttPort())) {
            for (RawPublish message : unacknowledged) {
                assertThat(second.message()).isEqualTo(message.asDuplicate());
                second.answer(PUBACK, message.packetId());
            }
            Soon.until(() -> {
                for (RawPublish message : second.messagesUntilPing()) {
                    got.add(message.payload());
                    second.answer(PUBACK, message.packetId());
                }
                return got.size() + broker.dropped("queue_full") - before >= published;
            });
            assertThat(broker.dropped("queue_full") - before).isPositive();
            assertThat(got.size() + broker.dropped("queue_full") - before).isEqualTo(published);
        }
    }

    @Conformance(
            value = {"MQTT-3.3.1-1", "MQTT-4.3.2-2", "MQTT-4.3.2-3", "MQTT-4.4.0-1"},
            mqtt311 = {"MQTT-3.3.1-1", "MQTT-4.4.0-1"})
    @ParameterizedTest
    @MethodSource("versionsAndPaths")
    void unacknowledgedMessagesAreRedeliveredWithDupBeforeNewOnes(MqttVersion version, DeliveryPath path)
            throws Exception {
        String topic = "again/1/" + version + "/" + path;
        RawConnect connect = persistent(version, path);
        RawClient first = connect.open(broker.mqttPort()).subscribe(topic, 1);
        broker.publish(topic, "a", 1);
        broker.publish(topic, "b", 2);
        RawPublish a = first.message();
        RawPublish b = first.message();
        assertThat(List.of(a, b)).extracting(RawPublish::payload).containsExactly("a", "b");
        first.answer(PUBACK, a.packetId());
        broker.lose(first, connect.clientId());
        broker.publish(topic, "c", 1);

        RawClient second = connect.open(broker.mqttPort());
        assertSessionPresent(second, version);
        assertThat(second.message()).isEqualTo(b.asDuplicate());
        RawPublish c = second.message();
        assertThat(c.payload()).isEqualTo("c");
        assertThat(c.duplicate()).isFalse();
        second.answer(PUBACK, c.packetId());
        second.answer(PUBACK, b.packetId());
        assertThat(second.messagesUntilPing()).isEmpty();
        broker.lose(second, connect.clientId());
        broker.publish(topic, "d", 1);
        try (RawClient third = connect.open(broker.mqttPort())) {
            assertThat(third.message().payload()).isEqualTo("d");
        }
    }

    @Conformance(
            value = {"MQTT-4.3.3-4", "MQTT-4.3.3-5", "MQTT-4.3.3-6", "MQTT-4.4.0-1"},
            mqtt311 = {"MQTT-4.3.3-1", "MQTT-4.4.0-1"})
    @ParameterizedTest
    @MethodSource("versionsAndPaths")
    void qos2MessageWithPubRecIsReleasedAgainAndNotRedelivered(MqttVersion version, DeliveryPath path)
            throws Exception {
        String topic = "again/2/" + version + "/" + path;
        RawConnect connect = persistent(version, path);
        RawClient first = connect.open(broker.mqttPort()).subscribe(topic, 2);
        RawConnect publisher = new RawConnect(version, Library.newClientId()).persistent(60);
        try (RawClient publishing = publisher.open(broker.mqttPort())) {
            // A persistent publisher makes the broker use transactions.
            for (int packetId = 1; packetId <= 2; packetId++) {
                publishing.publish(topic, "m" + packetId, 2, packetId, false);
                assertThat(publishing.expect(PUBREC)).isEqualTo(new RawClient.Answer(packetId, SUCCESS));
            }
        }
        RawPublish received = first.message();
        RawPublish unanswered = first.message();
        first.answer(PUBREC, received.packetId());
        assertThat(first.expect(PUBREL).packetId()).isEqualTo(received.packetId());
        broker.lose(first, connect.clientId());

        RawClient second = connect.open(broker.mqttPort());
        assertThat(second.expect(PUBREL).packetId()).isEqualTo(received.packetId());
        assertThat(second.message()).isEqualTo(unanswered.asDuplicate());
        second.answer(PUBCOMP, received.packetId());
        second.answer(PUBREC, unanswered.packetId());
        assertThat(second.expect(PUBREL).packetId()).isEqualTo(unanswered.packetId());
        second.answer(PUBCOMP, unanswered.packetId());
        assertThat(second.messagesUntilPing()).isEmpty();
        broker.lose(second, connect.clientId());
        broker.publish(topic, "next", 2);
        try (RawClient third = connect.open(broker.mqttPort())) {
            assertThat(third.message().payload()).isEqualTo("next");
        }
    }

    @Test
    void brokerRestartKeepsTheStateOfMessagesInFlightToAnApplication() throws Exception {
        String topic = "again/restart";
        RawConnect connect = persistent(MqttVersion.MQTT_5, DeliveryPath.APPLICATION);
        RawClient first = connect.open(broker.mqttPort()).subscribe(topic, 2);
        for (String payload : List.of("a", "b", "c", "d")) {
            broker.publish(topic, payload, 2);
        }
        RawPublish a = first.message();
        RawPublish b = first.message();
        RawPublish c = first.message();
        RawPublish d = first.message();
        first.answer(PUBREC, b.packetId());
        assertThat(first.expect(PUBREL).packetId()).isEqualTo(b.packetId());
        first.answer(PUBREC, c.packetId());
        assertThat(first.expect(PUBREL).packetId()).isEqualTo(c.packetId());
        first.answer(PUBCOMP, c.packetId());
        broker.lose(first, connect.clientId());

        broker.stop();
        startBroker();
        broker.publish(topic, "e", 1);
        try (RawClient second = connect.open(broker.mqttPort())) {
            assertThat(second.sessionPresent()).isTrue();
            assertThat(second.expect(PUBREL).packetId()).isEqualTo(b.packetId());
            assertThat(second.message()).isEqualTo(a.asDuplicate());
            assertThat(second.message()).isEqualTo(d.asDuplicate());
            RawPublish e = second.message();
            assertThat(e.payload()).isEqualTo("e");
            assertThat(e.duplicate()).isFalse();
            assertThat(second.messagesUntilPing()).isEmpty();
        }
    }

    // From a publisher to the broker.

    @Conformance(
            value = {"MQTT-2.2.1-5", "MQTT-4.3.3-8", "MQTT-4.3.3-10", "MQTT-4.3.3-11", "MQTT-4.3.3-12"},
            mqtt311 = {"MQTT-2.3.1-6", "MQTT-4.3.3-2"})
    @ParameterizedTest
    @EnumSource
    void qos2PublishRetransmittedOnANewConnectionIsDeliveredOnce(MqttVersion version) throws Exception {
        String topic = "sent/again/" + version;
        RawConnect connect = persistent(version);
        try (LibraryClient subscriber = Library.PAHO_5.connected(broker.mqttPort())) {
            subscriber.subscribe(topic, 2);
            RawClient first = connect.open(broker.mqttPort());
            first.publish(topic, "once", 2, 7, false);
            Soon.until(() -> !subscriber.received().isEmpty());
            broker.lose(first, connect.clientId());

            try (RawClient second = connect.open(broker.mqttPort())) {
                second.publish(topic, "once", 2, 7, true);
                assertThat(second.expect(PUBREC)).isEqualTo(new RawClient.Answer(7, SUCCESS));
                second.answer(PUBREL, 7);
                assertThat(second.expect(PUBCOMP)).isEqualTo(new RawClient.Answer(7, SUCCESS));
                // The packet identifier is free again and stands for a new message.
                second.publish(topic, "another", 2, 7, false);
                second.expect(PUBREC);
            }

            Soon.until(() -> subscriber.received().size() >= 2);
            assertThat(subscriber.payloads()).containsExactly("once", "another");
        }
    }

    @Conformance("MQTT-3.1.2-4")
    @Test
    void cleanStartForgetsInboundPacketIds() throws Exception {
        String topic = "forgotten";
        String clientId = Library.newClientId();
        try (LibraryClient subscriber = Library.HIVEMQ_5.connected(broker.mqttPort())) {
            subscriber.subscribe(topic, 2);
            RawClient first = new RawConnect(clientId).persistent(3_600).open(broker.mqttPort());
            first.publish(topic, "a", 2, 7, false);
            first.expect(PUBREC);
            broker.lose(first, clientId);

            try (RawClient second =
                    new RawConnect(clientId).expirySeconds(3_600).open(broker.mqttPort())) {
                assertThat(second.sessionPresent()).isFalse();
                second.publish(topic, "b", 2, 7, false);
                second.expect(PUBREC);
            }
            Soon.until(() -> subscriber.received().size() >= 2);
            assertThat(subscriber.payloads()).containsExactly("a", "b");
        }
    }

    /** MQTT 3.1 has no such flag. */
    private static void assertSessionPresent(RawClient client, MqttVersion version) {
        if (version != MqttVersion.MQTT_3_1) {
            assertThat(client.sessionPresent()).isTrue();
        }
    }
}
