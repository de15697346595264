package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ordinary clients over WebSocket. Programs that are not on this machine are skipped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WebSocketIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LARGE = 300_000;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private URI url;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true", "--heddle.mqtt.ws-port=0");
        url = broker.listener("ws");
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    private Mqtt5BlockingClient hiveMq() {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(Library.newClientId())
                .serverHost("127.0.0.1")
                .serverPort(url.getPort())
                .webSocketConfig()
                .serverPath("mqtt")
                .applyWebSocketConfig()
                .buildBlocking();
        client.connect();
        return client;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 125, 126, 65_535, LARGE})
    void hiveMqExchangesMessagesOfAllSizesWithAClientOverTcp(int size) throws Exception {
        String payload = "x".repeat(size);
        Mqtt5BlockingClient client = hiveMq();
        try (Mqtt5BlockingClient.Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL);
                LibraryClient overTcp = Library.HIVEMQ_5.connected(broker.mqttPort())) {
            client.subscribeWith()
                    .topicFilter("ws/down")
                    .qos(MqttQos.EXACTLY_ONCE)
                    .send();
            overTcp.subscribe("ws/up", 2);

            overTcp.publish("ws/down", payload, 2);
            client.publishWith()
                    .topic("ws/up")
                    .payload(payload.getBytes(UTF_8))
                    .qos(MqttQos.EXACTLY_ONCE)
                    .send();

            assertThat(new String(messages.receive().getPayloadAsBytes(), UTF_8))
                    .isEqualTo(payload);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(overTcp.received())
                            .singleElement()
                            .satisfies(message -> assertThat(message.payload()).isEqualTo(payload)));
        }
        HiveMqGoodbye.disconnect(client);
    }

    @ParameterizedTest
    @ValueSource(ints = {MqttConnectOptions.MQTT_VERSION_3_1, MqttConnectOptions.MQTT_VERSION_3_1_1})
    void pahoExchangesMessagesInEarlierVersions(int version) throws Exception {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setMqttVersion(version);
        Queue<String> got = new ConcurrentLinkedQueue<>();
        try (org.eclipse.paho.client.mqttv3.MqttClient client = new org.eclipse.paho.client.mqttv3.MqttClient(
                url.toString(), Library.newClientId(), new MemoryPersistence())) {
            client.connect(options);
            client.subscribe("ws/paho", 1, (_, message) -> got.add(new String(message.getPayload(), UTF_8)));
            client.publish("ws/paho", "y".repeat(LARGE).getBytes(UTF_8), 1, false);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(got).containsExactly("y".repeat(LARGE)));
            client.disconnect();
        }
    }

    @Test
    void pahoExchangesMessagesInVersion5() throws Exception {
        Queue<String> got = new ConcurrentLinkedQueue<>();
        org.eclipse.paho.mqttv5.client.MqttClient client = new org.eclipse.paho.mqttv5.client.MqttClient(
                url.toString(), Library.newClientId(), new org.eclipse.paho.mqttv5.client.persist.MemoryPersistence());
        try {
            client.connect();
            client.setCallback(new Paho5Messages(message -> got.add(message.toString())));
            client.subscribe("ws/paho5", 1);
            client.publish("ws/paho5", "hello".getBytes(UTF_8), 1, false);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(got).hasSize(1));
            client.disconnect();
        } finally {
            client.close();
        }
    }

    @Test
    void mosquittoPublishesAndSubscribes() throws Exception {
        assumeTrue(
                OtherProgram.isOnPath("mosquitto_pub"),
                "mosquitto_pub is not on the PATH: apt-get install mosquitto-clients");
        assumeTrue(
                OtherProgram.run("mosquitto_pub", "--help").output().contains("--ws"),
                "mosquitto_pub is built without WebSocket");
        String port = Integer.toString(url.getPort());
        Mqtt5BlockingClient client = hiveMq();
        try (Mqtt5BlockingClient.Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("ws/mosquitto").send();
            assertThat(OtherProgram.run(
                                    "mosquitto_pub", "--ws", "-p", port, "-q", "1", "-t", "ws/mosquitto", "-m", "hello")
                            .status())
                    .isZero();
            assertThat(new String(messages.receive().getPayloadAsBytes(), UTF_8))
                    .isEqualTo("hello");
        }
        HiveMqGoodbye.disconnect(client);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void mqttJsExchangesMessages(int version) throws Exception {
        String modules = System.getenv("HEDDLE_TEST_MQTTJS");
        assumeTrue(OtherProgram.isOnPath("node"), "node is not on the PATH: apt-get install npm");
        assumeTrue(
                modules != null && Files.isDirectory(Path.of(modules, "mqtt")),
                "HEDDLE_TEST_MQTTJS does not name a node_modules with mqtt: npm install mqtt");
        String script = """
                const mqtt = require(process.argv[1] + '/mqtt');
                const client = mqtt.connect(process.argv[2], {
                  protocolVersion: VERSION, protocolId: VERSION === 3 ? 'MQIsdp' : 'MQTT', clientId: process.argv[3] });
                const payload = 'z'.repeat(LARGE);
                client.on('error', error => { console.error(error); process.exit(1); });
                client.on('message', (topic, message) => {
                  console.log(topic, message.toString() === payload);
                  client.end(() => process.exit(0));
                });
                client.subscribe('ws/js', { qos: 2 }, () => client.publish('ws/js', payload, { qos: 2 }));
                """.replace("VERSION", Integer.toString(version)).replace("LARGE", Integer.toString(LARGE));

        OtherProgram.Ended ended =
                OtherProgram.run("node", "-e", script, String.valueOf(modules), url.toString(), Library.newClientId());

        assertThat(ended.output()).isEqualTo("ws/js true\n");
        assertThat(ended.status()).isZero();
    }

    @Test
    void aBrowserThatOpensTheUrlGetsASentence() throws IOException, InterruptedException {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            assertThat(get(browser, "/mqtt").statusCode()).isEqualTo(400);
            assertThat(get(browser, "/mqtt").body()).contains("for WebSocket clients");
            assertThat(get(browser, "/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
        }
    }

    private HttpResponse<String> get(HttpClient browser, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + url.getPort() + path);
        return browser.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void connectionsAreCountedByKind() {
        double before = broker.count("heddle.listener.opened", "kind", "ws");
        Mqtt5BlockingClient client = hiveMq();
        assertThat(broker.count("heddle.listener.opened", "kind", "ws")).isEqualTo(before + 1);
        HiveMqGoodbye.disconnect(client);
    }
}
