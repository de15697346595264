package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.transport.connection.ListenerKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients over WebSocket with messages of all sizes, and web browsers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WebSocketIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LARGE = 300_000;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private URI url;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true", "--heddle.mqtt.ws-port=0");
        url = broker.listener("ws");
    }

    private Mqtt5BlockingClient hiveMq() {
        Mqtt5BlockingClient client = new ListenerAddress(ListenerKind.WS, url.getPort(), null)
                .hiveMq(Library.newClientId())
                .useMqttVersion5()
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
