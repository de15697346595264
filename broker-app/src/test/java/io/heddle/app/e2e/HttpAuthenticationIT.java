package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientState;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.sun.net.httpserver.HttpExchange;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.persistence.StubServer;
import io.heddle.persistence.StubServer.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A broker whose clients have stored passwords, or are known to a service. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpAuthenticationIT {
    private static final String STORED = "http-it-stored";
    private static final int WAITING = 20;
    private static final String RULES = """
            default deny
            allow all devices/${clientId}/# for everyone
            allow subscribe alarms/# for group operators
            allow subscribe sites/${attribute.site}/# for everyone
            """;

    private final StubServer service = new StubServer(this::answer);
    private final CountDownLatch released = new CountDownLatch(1);
    /** By user name. */
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    private final ConcurrentLinkedQueue<JsonNode> requests = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.methods=password,http",
                "--heddle.authentication.http.url=" + service.url() + "/connect",
                "--heddle.authentication.http.timeout=60s");
        broker.replaceRules(RULES);
        ChangedCredentialsIT.store(STORED, "correct horse");
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode request = JsonMapper.shared().readTree(exchange.getRequestBody());
        requests.add(request);
        String userName = request.get("username").asString();
        if (userName.equals("slow")) {
            StubServer.await(released);
        }
        String answer = answers.getOrDefault(userName, "500");
        Answer chosen = answer.startsWith("{") ? StubServer.text(answer) : StubServer.status(Integer.parseInt(answer));
        chosen.to(exchange);
    }

    @AfterAll
    void stopBroker() throws Exception {
        // Other tests use the same servers.
        broker.replaceRules("default allow");
        broker.close();
        service.close();
        ChangedCredentialsIT.withCredentials(store -> store.remove(null, STORED));
    }

    private Mqtt5BlockingClient client(
            String clientId, String userName, String password, CompletableFuture<Mqtt5DisconnectReasonCode> end) {
        return MqttClient.builder()
                .identifier(clientId)
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort())
                .useMqttVersion5()
                .simpleAuth()
                .username(userName)
                .password(password.getBytes(UTF_8))
                .applySimpleAuth()
                .addDisconnectedListener(context -> {
                    if (context.getCause() instanceof Mqtt5DisconnectException disconnect) {
                        end.complete(disconnect.getMqttMessage().getReasonCode());
                    }
                })
                .buildBlocking();
    }

    private Mqtt5BlockingClient client(String clientId, String userName) {
        return client(clientId, userName, "secret", new CompletableFuture<>());
    }

    private Mqtt5ConnAckReasonCode connect(String clientId, String userName, String password) {
        Mqtt5BlockingClient client = client(clientId, userName, password, new CompletableFuture<>());
        try {
            Mqtt5ConnAckReasonCode reason = client.connect().getReasonCode();
            HiveMqGoodbye.disconnect(client);
            return reason;
        } catch (Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode();
        }
    }

    @Test
    void theServiceDecides() {
        answers.putAll(Map.of(
                "yes", "{\"result\": \"allow\"}",
                "no", "{\"result\": \"deny\"}",
                "other", "{\"result\": \"ignore\"}",
                "broken", "{\"result\": \"allow\", \"groups\": 5}"));

        assertThat(connect("http-1", "yes", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        assertThat(connect("http-1", "no", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(connect("http-1", "other", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(connect("http-1", "broken", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.SERVER_UNAVAILABLE);

        assertThat(requests)
                .filteredOn(each -> each.get("username").asString().equals("yes"))
                .singleElement()
                .isEqualTo(JsonMapper.shared().readTree("""
                        {"clientId": "http-1", "username": "yes", "password": "secret", "address": "127.0.0.1",
                         "listener": "%s"}""".formatted(listenerOf("yes"))));
        assertThat(requests).noneMatch(each -> each.get("username").asString().startsWith("heddle-self-check"));
    }

    private String listenerOf(String userName) {
        return requests.stream()
                .filter(each -> each.get("username").asString().equals(userName))
                .map(each -> each.get("listener").asString())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClientIsDisconnectedWhenItsPermissionEnds() throws Exception {
        CompletableFuture<Mqtt5DisconnectReasonCode> end = new CompletableFuture<>();
        long expiry = Instant.now().plus(Duration.ofSeconds(3)).getEpochSecond();
        answers.put("brief", "{\"result\": \"allow\", \"expireAt\": " + expiry + "}");
        client("http-3", "brief", "secret", end).connect();

        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.MAXIMUM_CONNECT_TIME);
        assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(expiry));
    }

    @Test
    void theRulesChangeTheMethodsWhileTheBrokerRuns() throws Exception {
        answers.put("both", "{\"result\": \"allow\"}");
        answers.put(STORED, "{\"result\": \"deny\"}");
        assertThat(connect("http-4", "both", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        assertThat(connect("http-4", STORED, "correct horse")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        try {
            broker.replaceRules(RULES + "authenticate http,password");
            assertThat(connect("http-4", STORED, "correct horse"))
                    .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);

            broker.replaceRules(RULES + "authenticate password on " + listenerOf("both"));
            assertThat(connect("http-4", STORED, "correct horse")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
            assertThat(connect("http-4", "both", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        } finally {
            broker.replaceRules(RULES);
        }
        assertThat(connect("http-4", "both", "secret")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
    }

    @Test
    void clientsOfAnotherMethodDoNotWaitForAServiceThatHangs() {
        answers.put("slow", "{\"result\": \"allow\"}");
        List<Mqtt5Client> waiting = new ArrayList<>();
        List<CompletableFuture<Mqtt5ConnAck>> connected = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            Mqtt5BlockingClient client = client("http-slow-" + i, "slow");
            waiting.add(client);
            connected.add(client.toAsync().connect());
        }
        Soon.until(() -> requests.stream()
                        .filter(each -> each.get("username").asString().equals("slow"))
                        .count()
                == WAITING);

        for (int i = 0; i < WAITING; i++) {
            assertThat(connect("http-stored-" + i, STORED, "correct horse")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        }
        assertThat(waiting).extracting(Mqtt5Client::getState).containsOnly(MqttClientState.CONNECTING);

        released.countDown();
        for (int i = 0; i < WAITING; i++) {
            assertThat(connected.get(i).orTimeout(20, TimeUnit.SECONDS).join().getReasonCode())
                    .isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
            HiveMqGoodbye.disconnect(waiting.get(i).toBlocking());
        }
    }
}
