package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import io.heddle.app.HiveMqGoodbye;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./heddle admin} and the commands of docs/rest.md on a broker with its own servers. The last tests stop and kill the broker. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class AdministrationIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "rest.md");
    private static final Pattern COMMANDS =
            Pattern.compile("<!-- AdministrationIT runs these commands. -->\n```sh\n(.*?)```", Pattern.DOTALL);
    private static final String CLIENT = "gateway-1";
    private static final Duration ENDED_WITHIN = Duration.ofMinutes(2);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    private final BlockingQueue<Throwable> disconnected = new LinkedBlockingQueue<>();

    @SuppressWarnings("NullAway.Init") // Set before the tests.
    private BrokerProcess broker;

    private String password = "";

    @BeforeAll
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void start() throws IOException {
        startBroker();
        password = broker.administratorPassword().orElseThrow();
        Files.writeString(directory.resolve("password"), password);
    }

    private void startBroker() throws IOException {
        // The servers answer late on a busy machine.
        broker = BrokerProcess.start(
                data(),
                "--heddle.kafka.connect-timeout=60s",
                "--heddle.redis.connect-timeout=60s",
                "--heddle.postgres.connect-timeout=60s");
        var _ = broker.awaitReady();
    }

    @AfterAll
    void stop() {
        broker.close();
        ProcessTable.assertNothingRunsOn(directory);
    }

    private static Path data() {
        return directory.resolve("data");
    }

    private static Ended admin(String... words) throws Exception {
        return adminWith("", words);
    }

    private static Ended adminWith(String input, String... words) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("admin"));
        arguments.addAll(List.of(words));
        arguments.addAll(List.of(
                "--data-dir",
                data().toString(),
                "--password-file",
                directory.resolve("password").toString()));
        return Distribution.run(input, arguments.toArray(String[]::new));
    }

    /** Returns the output of a command that succeeds. */
    private static String output(String... words) throws Exception {
        Ended ended = admin(words);
        assertThat(ended.status()).as(ended.errors()).isZero();
        return ended.output();
    }

    private static JsonNode json(String... words) throws Exception {
        return JsonMapper.shared().readTree(output(words));
    }

    private Mqtt5BlockingClient connect() {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(CLIENT)
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort())
                .addDisconnectedListener(context -> disconnected.add(context.getCause()))
                .buildBlocking();
        client.connectWith().sessionExpiryInterval(3_600).cleanStart(false).send();
        return client;
    }

    private void assertDisconnectedBy(Mqtt5DisconnectReasonCode reason) throws InterruptedException {
        assertThat(disconnected.poll(60, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Mqtt5DisconnectException.class,
                        cause -> assertThat(cause.getMqttMessage().getReasonCode())
                                .isEqualTo(reason));
    }

    @Order(1)
    @Test
    void theCommandsOfTheDocumentDisconnectAClient() throws Exception {
        Matcher commands = COMMANDS.matcher(Files.readString(DOCUMENT));
        assertThat(commands.find()).isTrue();
        String script = commands.group(1)
                .replace("http://127.0.0.1:8080", "http://127.0.0.1:" + broker.httpPort())
                .replace("PASSWORD", password);
        Mqtt5BlockingClient client = connect();
        client.subscribeWith()
                .topicFilter("gateways/#")
                .qos(MqttQos.AT_LEAST_ONCE)
                .send();

        int disconnect = script.indexOf("# Disconnect");
        String output;
        try (Mqtt5BlockingClient.Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL)) {
            output = outputOf(script.substring(0, disconnect));
            // A person sees the message before disconnecting the client; without this, the client could be disconnected
            // before it arrives.
            assertThat(messages.receive(60, TimeUnit.SECONDS))
                    .hasValueSatisfying(message -> assertThat(new String(message.getPayloadAsBytes(), UTF_8))
                            .isEqualTo("bye"));
        }
        output += outputOf(script.substring(disconnect));

        List<JsonNode> answers = output.lines()
                .filter(line -> !line.isEmpty())
                .map(JsonMapper.shared()::readTree)
                .toList();
        assertThat(answers).hasSize(6);
        assertThat(answers.get(0).path("state").asString()).isEqualTo("READY");
        assertThat(answers.get(1).path("items").path(0).path("clientId").asString())
                .isEqualTo(CLIENT);
        assertThat(answers.get(2).path("subscriptions").asInt()).isOne();
        assertThat(answers.get(3).path("items").path(0).path("topicFilter").asString())
                .isEqualTo("gateways/#");
        assertThat(answers.get(4).path("recipients").asInt()).isOne();
        assertThat(answers.get(5).path("items").path(0).path("action").asString())
                .isEqualTo("DISCONNECT_CLIENT");
        assertThat(directory.resolve("heddle.curl")).doesNotExist();
        assertDisconnectedBy(Mqtt5DisconnectReasonCode.ADMINISTRATIVE_ACTION);
    }

    private static String outputOf(String script) throws Exception {
        ProcessBuilder shell = new ProcessBuilder("sh", "-euc", script).directory(directory.toFile());
        try (BrokerProcess running = BrokerProcess.start(shell)) {
            Ended ended = running.awaitEnd(ENDED_WITHIN);
            assertThat(ended.status()).as(ended.output() + ended.errors()).isZero();
            return ended.output();
        }
    }

    @Order(2)
    @Test
    void clientsAreListedShownDisconnectedAndEnded() throws Exception {
        Mqtt5BlockingClient client = connect();
        client.subscribeWith()
                .topicFilter("gateways/#")
                .qos(MqttQos.AT_LEAST_ONCE)
                .send();

        assertThat(output("clients", "list", "--prefix=gateway-"))
                .matches("CLIENT +TYPE +USER +STATE +NODE[^\n]*\n" + CLIENT
                        + " +device +- +connected +[^\n]*3600 s[^\n]*\n");
        assertThat(json("clients", "list", "--state=away", "--json")
                        .path("items")
                        .isEmpty())
                .isTrue();
        assertThat(output("clients", "show", CLIENT))
                .containsPattern("(?m)^ +client id +" + CLIENT + "$")
                .containsPattern("(?m)^subscriptions +1$");
        assertThat(output("clients", "subscriptions", CLIENT)).containsPattern("(?m)^gateways/# +1 ");
        assertThat(output("subscribers", "gateways/#")).containsPattern("(?m)^" + CLIENT + " +gateways/# ");
        assertThat(output("subscribers", "gateways/7")).contains(CLIENT);
        assertThat(output("clients", "disconnect", CLIENT)).isEqualTo("Client gateway-1 is not connected any more\n");
        assertDisconnectedBy(Mqtt5DisconnectReasonCode.ADMINISTRATIVE_ACTION);
        assertThat(output("publish", "gateways/1", "-m", "stored", "-q", "1")).isEqualTo("Published; recipients: 1\n");
        await().atMost(ENDED_WITHIN)
                .untilAsserted(
                        () -> assertThat(output("queues", "peek", CLIENT)).contains("gateways/1", "stored"));
        assertThat(output("queues", "show", CLIENT)).containsPattern("(?m)^messages +1$");
        assertThat(output("queues", "clear", CLIENT)).contains("Messages in the queue: 1");
        assertThat(output("clients", "end", CLIENT)).isEqualTo("Client gateway-1 has no session any more\n");
        assertThat(output("clients", "show", CLIENT))
                .containsPattern("(?m)^last disconnection")
                .containsPattern("(?m)^ +reason +administrative_action$");
        assertThat(admin("clients", "show", "gateway-0").onlySentence())
                .isEqualTo("heddle admin clients show: There is no such client.");
        assertThat(admin("clients", "list", "--state=sleepy").onlySentence())
                .startsWith("heddle admin clients list: state: Use one of:");
    }

    @Order(3)
    @Test
    void messagesLogsAndStoresAreAdministered() throws Exception {
        for (String topic : List.of("plant/1", "plant/2", "plant/3")) {
            assertThat(output("publish", topic, "-m", "on", "-q", "1", "-r", "--json"))
                    .contains("\"reasonCode\"");
        }
        Ended two = admin("retained", "list", "plant/+", "--limit=2");
        assertThat(two.output()).contains("plant/1 ", "plant/2 ").doesNotContain("plant/3");
        assertThat(two.errors()).isEqualTo("There may be more entries: --limit is 2\n");
        assertThat(output("retained", "show", "plant/3")).containsPattern("(?m)^payload +on$");
        assertThat(output("retained", "delete", "plant/3")).contains("plant/3");
        assertThat(output("retained", "delete", "--filter", "plant/#")).isEqualTo("Retained messages removed: 2\n");
        assertThat(json("retained", "list", "plant/#", "--json").path("items").isEmpty())
                .isTrue();
        assertThat(output("applications", "list")).startsWith("CLIENT ");
        assertThat(admin("applications", "seek", CLIENT, "--to=end").onlySentence())
                .contains("has no log");
        assertThat(output("buckets").lines()).hasSizeGreaterThan(1);
        assertThat(output("stores", "kafka")).contains("heddle.buckets");
        assertThat(output("stores", "redis").lines()).hasSizeGreaterThan(1);
        assertThat(output("node")).containsPattern("(?m)^state +READY$");
        assertThat(output("settings", "heddle.http.port")).contains("heddle.http.port");
        assertThat(output("audit")).contains("REMOVE_RETAINED_MESSAGE", "admin");
    }

    @Order(4)
    @Test
    void administratorsAndCredentialsAreCreatedAndRemoved() throws Exception {
        Ended created = adminWith("another secret\n", "administrators", "create", "vera", "--role=viewer");
        assertThat(created.status()).as(created.errors()).isZero();
        assertThat(output("administrators", "list")).containsPattern("(?m)^vera +viewer ");
        Ended viewer = Distribution.run(
                "another secret\n",
                "admin",
                "administrators",
                "delete",
                "vera",
                "--username=vera",
                "--url=http://127.0.0.1:" + broker.httpPort());
        assertThat(viewer.onlySentence()).contains(": Your role does not permit this request");
        assertThat(output("administrators", "delete", "vera")).contains("vera");
        assertThat(output("administrators", "list")).doesNotContain("vera");

        Ended stored = adminWith("device secret\n", "credentials", "create", "--user=pump", "--json");
        assertThat(stored.status()).as(stored.errors()).isZero();
        String id = JsonMapper.shared().readTree(stored.output()).path("id").asString();
        assertThat(output("credentials", "list", "--user-prefix=pu")).contains(id, "pump");
        assertThat(output("credentials", "delete", id)).contains(id);
        assertThat(admin("credentials", "show", id).onlySentence()).contains("no credentials with this id");
        Path csv = Files.writeString(directory.resolve("credentials.csv"), "userName,password\nvalve,secret\n,\n");
        Ended imported = admin("credentials", "import", csv.toString());
        assertThat(imported.status()).isOne();
        assertThat(imported.output()).contains("line 3: ", "Stored: 1, rejected: 1");
    }

    @Order(5)
    @Test
    void aStoppedAndAKilledBrokerAreNamed() throws Exception {
        broker.terminate();
        broker.awaitEnd(ENDED_WITHIN);
        assertThat(admin("nodes").onlySentence()).contains("no broker runs on " + data());

        startBroker();
        assertThat(output("nodes")).contains("serving");
        broker.kill();
        broker.awaitEnd(ENDED_WITHIN);
        assertThat(admin("nodes").onlySentence())
                .contains(
                        "the broker on " + data() + " that listened at http://127.0.0.1:", "has ended without a stop");

        startBroker();
        assertThat(output("nodes")).contains("serving");
        HiveMqGoodbye.disconnect(connect());
    }
}
