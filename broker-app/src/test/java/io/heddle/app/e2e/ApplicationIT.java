package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Persistent sessions of APPLICATION clients, each with a Kafka topic of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ApplicationIT {
    private static final int SUCCESS = 0;

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

    private static RawConnect application(MqttVersion version) {
        return new RawConnect(version, DeliveryPath.APPLICATION.newClientId()).persistent(3_600);
    }

    @Conformance(
            value = {"MQTT-3.3.1-1", "MQTT-4.3.2-3", "MQTT-4.4.0-1"},
            mqtt311 = {"MQTT-3.3.1-1", "MQTT-4.4.0-1"})
    @ParameterizedTest
    @EnumSource
    void unacknowledgedMessagesAreRedeliveredWithDupBeforeNewOnes(MqttVersion version) throws Exception {
        String topic = "application/1/" + version;
        RawConnect connect = application(version);
        RawClient first = connect.open(broker.mqttPort()).subscribe(topic, 1);
        double appended = broker.count("heddle.applications.appended");
        broker.publish(topic, "a", 1);
        broker.publish(topic, "b", 2);
        RawPublish a = first.message();
        RawPublish b = first.message();
        assertThat(List.of(a, b)).extracting(RawPublish::payload).containsExactly("a", "b");
        first.answer(PUBACK, a.packetId());
        broker.lose(first, connect.clientId());
        broker.publish(topic, "c", 1);
        assertThat(broker.count("heddle.applications.appended")).isEqualTo(appended + 3);

        RawClient second = connect.open(broker.mqttPort());
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
    @EnumSource
    void qos2MessageWithPubRecIsReleasedAgainAndNotRedelivered(MqttVersion version) throws Exception {
        String topic = "application/2/" + version;
        RawConnect connect = application(version);
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

    @Conformance({"MQTT-3.1.2-4", "MQTT-3.2.2-2"})
    @Test
    void cleanStartReceivesNothingOfThePreviousSession() throws Exception {
        String topic = "application/clean";
        String clientId = DeliveryPath.APPLICATION.newClientId();
        RawConnect connect = new RawConnect(clientId).persistent(3_600);
        broker.lose(connect.open(broker.mqttPort()).subscribe(topic, 1), clientId);
        broker.publish(topic, "old", 1);

        try (RawClient anew = new RawConnect(clientId).expirySeconds(3_600).open(broker.mqttPort())) {
            assertThat(anew.sessionPresent()).isFalse();
            anew.subscribe(topic, 1);
            broker.publish(topic, "new", 1);
            assertThat(anew.message().payload()).isEqualTo("new");
            assertThat(anew.messagesUntilPing()).isEmpty();
        }
    }

    @Conformance({"MQTT-3.3.4-2", "MQTT-3.3.4-3", "MQTT-3.3.4-4"})
    @Test
    void overlappingSubscriptionsDeliverOneCopyToEachClientType() throws Exception {
        RawConnect application = application(MqttVersion.MQTT_5);
        RawConnect device = new RawConnect(Library.newClientId()).persistent(3_600);
        try (RawClient app = application.open(broker.mqttPort());
                RawClient dev = device.open(broker.mqttPort())) {
            for (RawClient each : List.of(app, dev)) {
                each.subscribe("application/overlap/#", 1, 7);
                each.subscribe("application/overlap/+", 2, 8);
            }
            broker.publish("application/overlap/a", "once", 2);

            for (RawClient each : List.of(app, dev)) {
                RawPublish message = each.message();
                assertThat(message.qos()).isEqualTo(2);
                assertThat(message.subscriptionIdentifiers()).containsExactlyInAnyOrder(7, 8);
                assertThat(each.messagesUntilPing()).isEmpty();
            }
        }
    }

    @Conformance({"MQTT-3.3.4-9", "MQTT-4.6.0-5"})
    @Test
    void messagesArriveInOrderWithoutLoss() throws Exception {
        String topic = "application/stream";
        RawConnect connect = application(MqttVersion.MQTT_5).receiveMaximum(10);
        int count = 500;
        List<String> expected = new ArrayList<>();
        try (RawClient app = connect.open(broker.mqttPort()).subscribe(topic, 1);
                LibraryClient publisher = Library.PAHO_5.connected(broker.mqttPort())) {
            for (int i = 0; i < count; i++) {
                expected.add("m" + i);
                publisher.publish(topic, "m" + i, 1);
            }
            List<String> received = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                RawPublish message = app.message();
                received.add(message.payload());
                app.answer(PUBACK, message.packetId());
            }
            assertThat(received).isEqualTo(expected);
        }
    }

    @Test
    void brokerRestartKeepsTheStateOfMessagesInFlight() throws Exception {
        String topic = "application/restart";
        RawConnect connect = application(MqttVersion.MQTT_5);
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
}
