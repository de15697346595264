package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.heddle.standalone.testkit.TestServers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;

/**
 * Three Kafka nodes, three Redis nodes and PostgreSQL, and the brokers on them. Kafka replaces a node that is silent as late as with its
 * defaults. One test thread.
 */
public final class RedundantServers implements AutoCloseable {
    private static final int NODES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int SHOWN_CHARACTERS = 10_000;

    private final Servers servers;
    private final Admin admin;
    private final List<BrokerProcess> brokers = new ArrayList<>();

    private RedundantServers(Servers servers, Admin admin) {
        this.servers = servers;
        this.admin = admin;
    }

    public static RedundantServers start(Path directory) throws Exception {
        return start(directory, "127.0.0.1");
    }

    /** Starts servers whose Kafka nodes advertise a name, which each broker resolves as its JVM is told to. */
    public static RedundantServers start(Path directory, String kafkaHost) throws Exception {
        Servers servers = Servers.builder(directory)
                .kafkaAdvertisedHost(kafkaHost)
                .tuning(Tuning.OUTAGE_TESTS)
                .kafkaNodes(NODES)
                .redisNodes(NODES)
                .start();
        boolean complete = false;
        try {
            servers.awaitReady(PATIENCE);
            RedundantServers ready =
                    new RedundantServers(servers, Admin.create(TestServers.kafkaClient(servers.endpoints(), Map.of())));
            // A ready node is not yet known to all other nodes.
            Soon.until(
                    PATIENCE, () -> get(ready.admin.describeCluster().nodes()).size() == NODES);
            complete = true;
            return ready;
        } finally {
            if (!complete) {
                servers.close();
            }
        }
    }

    private static <T> T get(KafkaFuture<T> answer) throws Exception {
        return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Starts a broker with default time limits, unless the settings name others. */
    public BrokerProcess broker(String nodeId, String... settings) throws Exception {
        return broker(nodeId, List.of(), settings);
    }

    /** Starts a broker like {@link #broker(String, String...)}, with further options of its JVM. */
    public BrokerProcess broker(String nodeId, List<String> jvmOptions, String... settings) throws Exception {
        BrokerProcess broker = BrokerProcess.withoutServers(jvmOptions, settings(nodeId, settings));
        brokers.add(broker);
        FailureReport.add(broker, () -> nodeId + " wrote:\n" + latest(broker.output() + broker.errors()));
        return broker;
    }

    /** Returns the settings of a broker on these servers with default time limits, unless the further settings name others. */
    List<String> settings(String nodeId, String... settings) {
        List<String> further = new ArrayList<>(List.of(
                "--heddle.authentication.anonymous.enabled=true",
                DeliveryPath.SETTING,
                "--heddle.kafka.replication-factor=" + NODES,
                // The sessions that are away queue all messages of a test.
                "--heddle.session.maximum-queued-messages=100000",
                "--heddle.session.maximum-queued-bytes=64MB"));
        further.addAll(List.of(settings));
        return BrokerUnderTest.defaultSettings(nodeId, servers.endpoints(), further.toArray(String[]::new));
    }

    public List<String> redisUrls() {
        return servers.endpoints().redisUrls();
    }

    /** Returns the port of PostgreSQL. */
    public int postgresPort() {
        return postgresUri().getPort();
    }

    /** Returns the URL of PostgreSQL with another port, that of a relay. */
    public String postgresUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + postgresUri().getPath();
    }

    private URI postgresUri() {
        return URI.create(servers.endpoints().postgresUrl().substring("jdbc:".length()));
    }

    /** Returns the ports of the Kafka nodes for clients. */
    public List<Integer> kafkaPorts() {
        return Arrays.stream(servers.endpoints().kafkaBootstrapServers().split(",", -1))
                .map(address -> Integer.valueOf(address.substring(address.indexOf(':') + 1)))
                .toList();
    }

    /** Closes a broker that is not needed any more, before {@link #close} does. */
    public void retire(BrokerProcess broker) {
        FailureReport.remove(broker);
        brokers.remove(broker);
        broker.close();
    }

    private static String latest(String output) {
        return output.substring(Math.max(0, output.length() - SHOWN_CHARACTERS));
    }

    /** Asserts that no broker has declared another one dead, and that none is over. */
    void assertNoBrokerDeclaredDead() {
        for (BrokerProcess broker : brokers) {
            String output = broker.output() + broker.errors();
            assertThat(output).doesNotContain("Declaring a node dead").doesNotContain("This node is over");
            assertThat(broker.isAlive()).as(() -> "alive, with " + output).isTrue();
        }
    }

    public List<SupervisedProcess> kafka() {
        return nodesOf(Server.KAFKA);
    }

    public List<SupervisedProcess> redis() {
        return nodesOf(Server.REDIS);
    }

    private List<SupervisedProcess> nodesOf(Server server) {
        return IntStream.range(0, NODES)
                .mapToObj(node -> servers.process(server, node))
                .toList();
    }

    /** Returns the Kafka node that leads the only partition of {@code heddle.nodes}. */
    int leaderOfNodes() throws Exception {
        return get(admin.describeTopics(List.of("heddle.nodes")).allTopicNames()).values().stream()
                .mapToInt(topic -> topic.partitions().getFirst().leader().id())
                .findFirst()
                .orElseThrow();
    }

    /** Returns when all replicas of all partitions are in sync. */
    public void awaitInSync() throws Exception {
        servers.awaitReady(PATIENCE);
        Soon.until(PATIENCE, () -> {
            Collection<TopicDescription> topics = get(admin.describeTopics(
                                    get(admin.listTopics().names()))
                            .allTopicNames())
                    .values();
            return topics.stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(partition ->
                            partition.isr().size() == partition.replicas().size());
        });
    }

    /** Closes the brokers and the servers. */
    @Override
    public void close() {
        try {
            brokers.forEach(FailureReport::remove);
            brokers.forEach(BrokerProcess::close);
        } finally {
            admin.close(Duration.ZERO);
            servers.close();
        }
    }
}
