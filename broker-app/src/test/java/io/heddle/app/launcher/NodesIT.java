package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.standalone.directory.DataDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./heddle --nodes 3}: three brokers on the bundled servers that all serve. One is killed, one is drained. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class NodesIT {
    private static final int NODES = 3;
    private static final int CLIENTS = 6;
    private static final Duration READY_WITHIN = Duration.ofMinutes(5);
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(60);
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);
    private static final int AFTER_TERM = 143;
    private static final Pattern PROCESS = Pattern.compile("node-(\\d)(?:: | is )process (\\d+)");
    private static final Pattern LISTENER = Pattern.compile("node-(\\d) \\|   mqtt: tcp://127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @Test
    void clientsOfAKilledNodeFindTheirSessionsAtAnotherOneAndTheNodeIsStartedAgain() throws Exception {
        try (BrokerProcess cluster = start("--nodes=" + NODES)) {
            assertThat(IntStream.rangeClosed(1, NODES).mapToLong(node -> pid(cluster, node)))
                    .doesNotHaveDuplicates();
            for (int node = 1; node <= NODES; node++) {
                assertThat(cluster.output())
                        .containsPattern("  node-" + node + ": process " + pid(cluster, node)
                                + ", serves tcp://127\\.0\\.0\\.1:" + port(cluster, node)
                                + ", ws://127\\.0\\.0\\.1:\\d+/mqtt, http://127\\.0\\.0\\.1:");
            }
            Mqtt5BlockingClient subscriber = client("subscriber", port(cluster, 1));
            assertThat(connect(subscriber).isSessionPresent()).isFalse();
            Mqtt5BlockingClient publisher = client("publisher", port(cluster, 3));
            publisher.connect();
            try (Mqtt5BlockingClient.Mqtt5Publishes messages = subscriber.publishes(MqttGlobalPublishFilter.ALL)) {
                subscriber
                        .subscribeWith()
                        .topicFilter("nodes/#")
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .send();
                publish(publisher, "nodes/retained", true);
                assertThat(topic(messages)).isEqualTo("nodes/retained");
            }
            HiveMqGoodbye.disconnect(subscriber);
            publish(publisher, "nodes/queued", false);
            long pid = pid(cluster, 1);

            signal("KILL", pid);

            Mqtt5BlockingClient back = client("subscriber", port(cluster, 2));
            try (Mqtt5BlockingClient.Mqtt5Publishes messages = back.publishes(MqttGlobalPublishFilter.ALL)) {
                // Until another node holds the session, it may be refused.
                Mqtt5ConnAck accepted = await().atMost(SERVES_WITHIN)
                        .ignoreException(Mqtt5ConnAckException.class)
                        .until(() -> connect(back), Objects::nonNull);
                assertThat(accepted.isSessionPresent()).isTrue();
                Mqtt5Publish queued = next(messages);
                if (queued.getTopic().toString().equals("nodes/retained")) {
                    // The node was killed before it had stored the PUBACK: QoS 1 allows the second delivery.
                    assertThat(queued.isRetain()).isFalse();
                    queued = next(messages);
                }
                assertThat(queued.getTopic()).hasToString("nodes/queued");
                back.subscribeWith().topicFilter("+/retained").send();
                assertThat(next(messages))
                        .returns("nodes/retained", message -> message.getTopic().toString())
                        .returns(true, Mqtt5Publish::isRetain);
            }
            await().atMost(READY_WITHIN).until(() -> pid(cluster, 1) != pid && starts(cluster, 1) == 2);
            assertThat(cluster.output()).contains("node-1 (process " + pid + ") was ended by signal 9");
            assertThat(buckets(cluster)).as("buckets of the nodes").containsExactlyInAnyOrder(5, 5, 6);
            Mqtt5BlockingClient again = client("subscriber", port(cluster, 1));
            assertThat(connect(again).isSessionPresent()).isTrue();
            HiveMqGoodbye.disconnect(again);

            cluster.terminate();
            assertThat(cluster.awaitEnd(STOPPED_WITHIN).status()).isEqualTo(AFTER_TERM);
            assertThat(ProcessTable.naming(directory)).isEmpty();
            DataDirectory.open(directory.resolve("data")).close();
        }
    }

    /** Returns the number of buckets of each node. */
    private static List<Integer> buckets(BrokerProcess cluster) throws Exception {
        Ended table = admin(password(cluster), "nodes", "--url", http(cluster, 2));
        assertThat(table.status()).as(table.errors()).isZero();
        return table.output()
                .lines()
                .skip(1)
                .map(line -> Integer.valueOf(line.split(" +", -1)[2]))
                .toList();
    }

    private static String password(BrokerProcess cluster) {
        return Pattern.compile("admin, password (\\S+)")
                .matcher(cluster.output())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    @Test
    void theAdministratorSeesTheNodesMovesClientsAndDrainsANode() throws Exception {
        try (BrokerProcess cluster = start("--nodes=2")) {
            String password = password(cluster);
            String url = http(cluster, 1);

            Ended table = admin(password, "nodes", "--url", url);
            assertThat(table.status()).as(table.errors()).isZero();
            assertThat(table.output().lines())
                    .hasSize(3)
                    .anyMatch(line -> line.matches("node-1 +serving +8 +\\d+ +(\\d+%|-) +self .*"))
                    .anyMatch(line -> line.matches("node-2 +serving +8 +(\\d|-) +(\\d+%|-) +up .*"));
            assertThat(admin(password, "nodes", "--json", "--url", url).output())
                    .contains("\"nodeId\":\"node-2\"");
            Ended refused = admin("wrong", "nodes", "--url", url);
            assertThat(refused.onlySentence()).contains("heddle admin nodes: ", "status 401");
            assertThat(admin(password, "nodes", "--url", "http://127.0.0.1:1").onlySentence())
                    .contains("no node answers at 127.0.0.1:1");

            Ended steady = admin(password, "await-steady", "--nodes=2", "--timeout=60", "--url", url);
            assertThat(steady.status()).as(steady.errors()).isZero();
            assertThat(admin(password, "await-steady", "--nodes=3", "--timeout=1", "--url", url)
                            .onlySentence())
                    .contains("not steady after 1 s", "of at least 3 nodes, 2 serve");

            BlockingQueue<Throwable> disconnected = new LinkedBlockingQueue<>();
            for (int i = 0; i < CLIENTS; i++) {
                connect(client("client-" + i, port(cluster, 1), disconnected));
            }
            String second = "127.0.0.1:" + port(cluster, 2);
            await().atMost(SERVES_WITHIN)
                    .until(() -> admin(password, "nodes", "--json", "--url", http(cluster, 2))
                            .output()
                            .contains("\"connections\":" + CLIENTS));
            assertThat(admin(password, "rebalance", "--url", http(cluster, 2)).output())
                    .contains("node-1: " + CLIENTS + " connections, closes " + CLIENTS / 2);
            for (int i = 0; i < CLIENTS / 2; i++) {
                assertSentTo(second, disconnected.poll(SERVES_WITHIN.toSeconds(), TimeUnit.SECONDS));
            }

            long pid = pid(cluster, 1);
            Ended drain = admin(password, "drain", "--url", url);

            assertThat(drain.status()).as(drain.errors()).isZero();
            for (int i = 0; i < CLIENTS / 2; i++) {
                assertSentTo(second, disconnected.poll(SERVES_WITHIN.toSeconds(), TimeUnit.SECONDS));
            }
            for (int i = 0; i < CLIENTS; i++) {
                Mqtt5BlockingClient back = client("client-" + i, port(cluster, 2));
                assertThat(connect(back).isSessionPresent()).isTrue();
                HiveMqGoodbye.disconnect(back);
            }
            await().atMost(SERVES_WITHIN)
                    .until(() -> cluster.output().contains("node-1 (process " + pid + ") ended with status 0"));
        }
        ProcessTable.assertNothingRunsOn(directory);
    }

    private static void assertSentTo(String server, @Nullable Throwable disconnected) {
        assertThat(disconnected).isInstanceOfSatisfying(Mqtt5DisconnectException.class, cause -> {
            assertThat(cause.getMqttMessage().getReasonCode()).isEqualTo(Mqtt5DisconnectReasonCode.USE_ANOTHER_SERVER);
            assertThat(cause.getMqttMessage().getServerReference())
                    .hasValueSatisfying(reference -> assertThat(reference).hasToString(server));
        });
    }

    private static Ended admin(String password, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("admin"));
        words.addAll(List.of(arguments));
        return Distribution.run(password + "\n", words.toArray(String[]::new));
    }

    private static String http(BrokerProcess cluster, int node) {
        String label = "node-" + node + " |   http: ";
        return cluster.output()
                .lines()
                .filter(line -> line.startsWith(label))
                .findFirst()
                .orElseThrow()
                .substring(label.length());
    }

    @Test
    void noNodeSurvivesAKilledSupervisorAndOneBrokerGoesOnWithTheData() throws Exception {
        try (BrokerProcess cluster = start("--nodes", "2")) {
            Mqtt5BlockingClient publisher = client("publisher", port(cluster, 1));
            publisher.connect();
            publish(publisher, "nodes/kept", true);
            long frozen = pid(cluster, 2);
            signal("STOP", frozen);

            cluster.kill();
            assertThat(cluster.awaitEnd(STOPPED_WITHIN).status()).isEqualTo(137);

            try (BrokerProcess one =
                    BrokerProcess.start(directory.resolve("data")).awaitReady()) {
                assertThat(ProcessHandle.of(frozen).filter(ProcessHandle::isAlive))
                        .isEmpty();
                Mqtt5BlockingClient subscriber = client("other", one.mqttPort());
                try (Mqtt5BlockingClient.Mqtt5Publishes messages = subscriber.publishes(MqttGlobalPublishFilter.ALL)) {
                    connect(subscriber);
                    subscriber.subscribeWith().topicFilter("nodes/#").send();
                    assertThat(topic(messages)).isEqualTo("nodes/kept");
                }
                HiveMqGoodbye.disconnect(subscriber);
            }
            ProcessTable.assertNothingRunsOn(directory);
        }
    }

    @Test
    void wrongOptionsStartNothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int first = taken.getLocalPort() - 1;
            assertThat(refusal("--nodes=2", "--mqtt-port=" + first))
                    // Another program may have taken the port before it.
                    .containsPattern("port (" + first + "|" + taken.getLocalPort() + ") on 127.0.0.1 ")
                    .contains("heddle.mqtt.port (--mqtt-port)");
        }
        assertThat(refusal("--nodes", "9")).contains("from 2 to 8, not '9'");
        assertThat(refusal("--nodes=2", "--heddle.redis.url=redis://127.0.0.1:1"))
                .contains("heddle.redis.url is set", "start each node by itself");
        assertThat(refusal("--nodes=2", "--heddle.node.id=mine")).contains("node-1 to node-2", "remove the setting");
        ProcessTable.assertNothingRunsOn(directory);
        assertThat(directory.resolve("data")).isDirectoryNotContaining(path -> !path.endsWith("log"));
    }

    private String refusal(String... options) throws Exception {
        return BrokerProcess.startInVain(directory.resolve("data"), options).onlySentence();
    }

    private BrokerProcess start(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        // Several nodes that start at once on a busy machine answer late.
        all.addAll(List.of(
                "--heddle.kafka.connect-timeout=60s",
                "--heddle.redis.connect-timeout=60s",
                "--heddle.postgres.connect-timeout=60s"));
        BrokerProcess cluster = BrokerProcess.start(directory.resolve("data"), all.toArray(String[]::new));
        await().atMost(READY_WITHIN).until(() -> cluster.readyNanos().isPresent() || !cluster.isAlive());
        assertThat(cluster.readyNanos())
                .as(() -> cluster.output() + cluster.errors())
                .isPresent();
        return cluster;
    }

    private static int port(BrokerProcess cluster, int node) {
        return (int) latest(LISTENER, cluster, node);
    }

    private static long pid(BrokerProcess cluster, int node) {
        return latest(PROCESS, cluster, node);
    }

    /** Returns the latest number of a node; 0 if there is none. */
    private static long latest(Pattern pattern, BrokerProcess cluster, int node) {
        return pattern.matcher(cluster.output())
                .results()
                .filter(match -> match.group(1).equals(Integer.toString(node)))
                .map(MatchResult::group)
                .map(text -> text.substring(text.lastIndexOf(text.contains("tcp:") ? ':' : ' ') + 1))
                .mapToLong(Long::parseLong)
                .reduce(0, (_, later) -> later);
    }

    /** Returns how often a node has announced that it serves. */
    private static long starts(BrokerProcess cluster, int node) {
        String ready = "node-" + node + " | " + BrokerProcess.READY;
        return cluster.output().lines().filter(ready::equals).count();
    }

    private static void signal(String signal, long pid) throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + pid)
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    private static Mqtt5BlockingClient client(String clientId, int port) {
        return client(clientId, port, new LinkedBlockingQueue<>());
    }

    /** @param disconnected receives the reason when the connection ends */
    private static Mqtt5BlockingClient client(String clientId, int port, Queue<Throwable> disconnected) {
        return MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .addDisconnectedListener(context -> disconnected.add(context.getCause()))
                .buildBlocking();
    }

    private static Mqtt5ConnAck connect(Mqtt5BlockingClient client) {
        return client.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(3_600)
                .send();
    }

    private static void publish(Mqtt5BlockingClient client, String topic, boolean retain) {
        client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(retain)
                .payload(topic.getBytes(UTF_8))
                .send();
    }

    private static String topic(Mqtt5BlockingClient.Mqtt5Publishes messages) throws InterruptedException {
        return next(messages).getTopic().toString();
    }

    private static Mqtt5Publish next(Mqtt5BlockingClient.Mqtt5Publishes messages) throws InterruptedException {
        Optional<Mqtt5Publish> message = messages.receive(60, TimeUnit.SECONDS);
        assertThat(message).isPresent();
        return message.get();
    }
}
