package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.testkit.Conformance;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ordinary clients of every protocol version exchange messages through one broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClientsIT {
    private static final String LOOPBACK = "127.0.0.1";

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

    @Test
    void everyVersionReceivesMessagesOfEveryVersion() throws Exception {
        Mqtt5BlockingClient v5 = connected5();
        Mqtt3BlockingClient v311 = connected3();
        org.eclipse.paho.client.mqttv3.MqttClient paho311 = connectedPaho(MqttConnectOptions.MQTT_VERSION_3_1_1);
        org.eclipse.paho.client.mqttv3.MqttClient paho31 = connectedPaho(MqttConnectOptions.MQTT_VERSION_3_1);
        org.eclipse.paho.mqttv5.client.MqttClient paho5 = connectedPaho5();
        Queue<String> got = new ConcurrentLinkedQueue<>();
        v5.toAsync()
                .subscribeWith()
                .topicFilter("versions/+")
                .callback(message -> got.add("v5:" + new String(message.getPayloadAsBytes(), UTF_8)))
                .send()
                .get(60, TimeUnit.SECONDS);
        v311.toAsync()
                .subscribeWith()
                .topicFilter("versions/#")
                .callback(message -> got.add("v311:" + new String(message.getPayloadAsBytes(), UTF_8)))
                .send()
                .get(60, TimeUnit.SECONDS);
        paho311.subscribe(
                "versions/a", 0, (_, message) -> got.add("paho311:" + new String(message.getPayload(), UTF_8)));
        paho31.subscribe("+/a", 0, (_, message) -> got.add("paho31:" + new String(message.getPayload(), UTF_8)));
        paho5.setCallback(new Paho5Messages(message -> got.add("paho5:" + message)));
        paho5.subscribe("versions/a", 0);

        v5.publishWith().topic("versions/a").payload("1".getBytes(UTF_8)).send();
        v311.publishWith().topic("versions/a").payload("2".getBytes(UTF_8)).send();
        paho311.publish("versions/a", "3".getBytes(UTF_8), 0, false);
        paho31.publish("versions/a", "4".getBytes(UTF_8), 0, false);
        paho5.publish("versions/a", "5".getBytes(UTF_8), 0, false);

        Soon.until(() -> got.size() >= 25);
        assertThat(got).hasSize(25).doesNotHaveDuplicates();
        HiveMqGoodbye.disconnect(v5);
        HiveMqGoodbye.disconnect(v311);
        for (org.eclipse.paho.client.mqttv3.MqttClient client : List.of(paho311, paho31)) {
            client.disconnect();
            client.close();
        }
        paho5.disconnect();
        paho5.close();
    }

    @Conformance({"MQTT-4.6.0-5", "MQTT-4.6.0-6"})
    @Test
    void messagesOfOnePublisherArriveInOrder() throws Exception {
        Mqtt5BlockingClient subscriber = connected5();
        Mqtt3BlockingClient publisher = connected3();
        Queue<Integer> got = new ConcurrentLinkedQueue<>();
        subscriber
                .toAsync()
                .subscribeWith()
                .topicFilter("order")
                .callback(message -> got.add(Integer.valueOf(new String(message.getPayloadAsBytes(), UTF_8))))
                .send()
                .get(60, TimeUnit.SECONDS);

        for (int i = 0; i < 1_000; i++) {
            publisher
                    .publishWith()
                    .topic("order")
                    .payload(Integer.toString(i).getBytes(UTF_8))
                    .send();
        }

        Soon.until(() -> got.size() == 1_000);
        assertThat(List.copyOf(got)).isSorted();
        HiveMqGoodbye.disconnect(subscriber);
        HiveMqGoodbye.disconnect(publisher);
    }

    @Conformance({
        "MQTT-3.3.2-4",
        "MQTT-3.3.2-6",
        "MQTT-3.3.2-15",
        "MQTT-3.3.2-16",
        "MQTT-3.3.2-17",
        "MQTT-3.3.2-18",
        "MQTT-3.3.2-20"
    })
    @Test
    void publishPropertiesReachAnMqtt5Subscriber() throws Exception {
        Mqtt5BlockingClient client = connected5();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("properties").send();
            long sentNanos = System.nanoTime();
            client.publishWith()
                    .topic("properties")
                    .payload("p".getBytes(UTF_8))
                    .payloadFormatIndicator(Mqtt5PayloadFormatIndicator.UTF_8)
                    .contentType("text/plain")
                    .responseTopic("answers")
                    .correlationData(new byte[] {1, 2})
                    .messageExpiryInterval(1_000)
                    .userProperties()
                    .add("k", "1")
                    .add("k", "2")
                    .applyUserProperties()
                    .send();

            Optional<Mqtt5Publish> received = publishes.receive(60, TimeUnit.SECONDS);
            // The broker's clock has a resolution of milliseconds.
            Duration aged = Duration.ofNanos(System.nanoTime() - sentNanos).plusMillis(2);

            assertThat(received).hasValueSatisfying(message -> {
                assertThat(message.getContentType()).hasToString("Optional[text/plain]");
                assertThat(message.getResponseTopic()).hasToString("Optional[answers]");
                assertThat(message.getPayloadFormatIndicator()).contains(Mqtt5PayloadFormatIndicator.UTF_8);
                assertThat(message.getCorrelationData()).contains(ByteBuffer.wrap(new byte[] {1, 2}));
                assertThat(message.getUserProperties().asList())
                        .extracting(property -> property.getName() + "=" + property.getValue())
                        .containsExactly("k=1", "k=2");
                assertThat(message.getMessageExpiryInterval().orElseThrow())
                        .isBetween(1_000 - aged.toSeconds(), 1_000L);
            });
        }
        HiveMqGoodbye.disconnect(client);
    }

    @Conformance(mqtt311 = "MQTT-3.1.2-8")
    @Test
    void lostConnectionPublishesTheWill() throws Exception {
        Mqtt5BlockingClient watcher = connected5();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = watcher.publishes(MqttGlobalPublishFilter.ALL)) {
            watcher.subscribeWith().topicFilter("wills").send();
            org.eclipse.paho.client.mqttv3.MqttClient dying = new org.eclipse.paho.client.mqttv3.MqttClient(
                    "tcp://" + LOOPBACK + ":" + broker.mqttPort(), clientId(), new MemoryPersistence());
            MqttConnectOptions options = new MqttConnectOptions();
            options.setWill("wills", "gone".getBytes(UTF_8), 0, false);
            dying.connect(options);

            dying.disconnectForcibly(0, 1_000, false);

            assertThat(publishes.receive(60, TimeUnit.SECONDS))
                    .hasValueSatisfying(will -> assertThat(new String(will.getPayloadAsBytes(), UTF_8))
                            .isEqualTo("gone"));
            dying.close();
        }
        HiveMqGoodbye.disconnect(watcher);
    }

    @Conformance("MQTT-3.1.4-3")
    @Test
    void aSecondClientWithTheSameIdTakesOver() {
        String clientId = clientId();
        Mqtt5BlockingClient first = client5(clientId);
        first.connect();

        Mqtt5BlockingClient second = client5(clientId);
        second.connect();

        Soon.until(() -> !first.getState().isConnected());
        assertThat(second.getState().isConnected()).isTrue();
        HiveMqGoodbye.disconnect(second);
    }

    @Conformance(mqtt311 = "MQTT-3.1.2-24")
    @Test
    void aSilentClientIsDisconnectedAfterOneAndAHalfKeepAlives() {
        Mqtt5BlockingClient silent = MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId())
                .serverHost(LOOPBACK)
                .serverPort(broker.mqttPort())
                .buildBlocking();
        silent.connectWith().keepAlive(0).send();
        double before = broker.count("heddle.sessions.keep.alive.timeouts");

        try (RawConnection raw = RawConnection.connect(broker.mqttPort(), clientId(), 1)) {
            Soon.until(raw::isClosedByServer);
        }

        assertThat(broker.count("heddle.sessions.keep.alive.timeouts")).isEqualTo(before + 1);
        assertThat(silent.getState().isConnected()).isTrue();
        HiveMqGoodbye.disconnect(silent);
    }

    @Test
    void noStateIsLeftAfterCleanSessionsEnd() {
        Node node = broker.part(Node.class);
        broker.awaitConnected(0);
        // Persistent sessions of other tests on the same servers.
        long subscriptions = node.status().subscriptions();
        Mqtt5BlockingClient client = connected5();
        client.subscribeWith().topicFilter("left/over").send();
        HiveMqGoodbye.disconnect(client);

        Soon.until(() ->
                node.status().subscriptions() == subscriptions && node.status().connectedClients() == 0);
    }

    @Test
    void brokerStopSendsServerShuttingDown() {
        Queue<String> reasons = new ConcurrentLinkedQueue<>();
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId())
                .serverHost(LOOPBACK)
                .serverPort(broker.mqttPort())
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

    private static String clientId() {
        return "e2e-" + UUID.randomUUID();
    }

    private Mqtt5BlockingClient client5(String clientId) {
        return MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId)
                .serverHost(LOOPBACK)
                .serverPort(broker.mqttPort())
                .buildBlocking();
    }

    private Mqtt5BlockingClient connected5() {
        Mqtt5BlockingClient client = client5(clientId());
        client.connect();
        return client;
    }

    private Mqtt3BlockingClient connected3() {
        Mqtt3BlockingClient client = MqttClient.builder()
                .useMqttVersion3()
                .identifier(clientId())
                .serverHost(LOOPBACK)
                .serverPort(broker.mqttPort())
                .buildBlocking();
        client.connect();
        return client;
    }

    private org.eclipse.paho.client.mqttv3.MqttClient connectedPaho(int version) throws MqttException {
        org.eclipse.paho.client.mqttv3.MqttClient client = new org.eclipse.paho.client.mqttv3.MqttClient(
                "tcp://" + LOOPBACK + ":" + broker.mqttPort(), clientId().substring(0, 20), new MemoryPersistence());
        MqttConnectOptions options = new MqttConnectOptions();
        options.setMqttVersion(version);
        client.connect(options);
        return client;
    }

    private org.eclipse.paho.mqttv5.client.MqttClient connectedPaho5()
            throws org.eclipse.paho.mqttv5.common.MqttException {
        org.eclipse.paho.mqttv5.client.MqttClient client = new org.eclipse.paho.mqttv5.client.MqttClient(
                "tcp://" + LOOPBACK + ":" + broker.mqttPort(),
                clientId(),
                new org.eclipse.paho.mqttv5.client.persist.MemoryPersistence());
        client.connect();
        return client;
    }
}
