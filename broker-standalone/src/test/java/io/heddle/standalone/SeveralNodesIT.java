package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.standalone.testkit.TestServers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Tag("ci")
class SeveralNodesIT {
    private static final Logger LOG = LoggerFactory.getLogger(SeveralNodesIT.class);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int NODES = 3;

    @TempDir
    Path directory;

    @Test
    void threeKafkaNodesAcceptWritesWhileOneIsDown() throws Exception {
        Servers.Builder builder = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.KAFKA)
                .kafkaNodes(NODES);
        long began = System.nanoTime();
        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            LOG.info("three Kafka nodes took {} ms", (System.nanoTime() - began) / 1_000_000);
            Endpoints endpoints = servers.endpoints();
            try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
                // A ready node is not yet known to all other nodes.
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(
                                        admin.describeCluster().nodes().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                                .extracting(Node::id)
                                .containsExactlyInAnyOrder(0, 1, 2));
            }
            KeptData data = new KeptData(endpoints);
            data.createTopic();

            servers.process(Server.KAFKA, 1).crash();
            data.writeKafka("while one is down");
            servers.process(Server.KAFKA, 1).start();
            servers.awaitReady(PATIENCE);

            assertThat(data.kafka()).contains("while one is down");
        }
    }

    @Test
    void threeRedisNodesFormOneClusterAgainAfterARestart() throws Exception {
        Servers.Builder builder = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.REDIS)
                .redisNodes(NODES);
        long began = System.nanoTime();
        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            LOG.info("three Redis nodes took {} ms", (System.nanoTime() - began) / 1_000_000);
            assertClusterOf(servers.endpoints());
        }
        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            assertClusterOf(servers.endpoints());
        }
    }

    private static void assertClusterOf(Endpoints endpoints) throws Exception {
        assertThat(endpoints.redisUrls()).hasSize(NODES);
        for (String url : endpoints.redisUrls()) {
            URI uri = URI.create(url);
            String password = uri.getUserInfo().substring(1);
            try (RedisConnection connection = RedisConnection.open(uri.getPort(), password, PATIENCE)) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(connection.execute("CLUSTER", "INFO"))
                                .contains(
                                        "cluster_state:ok",
                                        "cluster_slots_ok:16384",
                                        "cluster_known_nodes:3",
                                        "cluster_size:3"));
            }
        }
    }
}
