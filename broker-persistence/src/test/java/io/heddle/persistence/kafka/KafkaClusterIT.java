package io.heddle.persistence.kafka;

import static io.heddle.persistence.Startup.sentenceOf;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.LogCapture;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KafkaClusterIT {
    private static final String TOPIC = "heddle.buckets";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The connect timeout of starts that must fail; long enough for a busy Kafka to answer. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** No server listens on this port, which the system never assigns. */
    private static final String NOBODY_THERE = "127.0.0.1:1";

    private static final Map<String, String> SECURITY = TestServers.shared().kafkaSecurity();

    private final String servers = TestServers.shared().kafkaBootstrapServers();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Admin admin = Admin.create(TestServers.kafkaClient(TestServers.shared(), Map.of()));

    /** Deletes the topics whose partitions are the buckets. */
    @BeforeEach
    void deleteTopics() throws Exception {
        Set<String> ofBuckets = Set.of(TOPIC, "heddle.clients");
        Set<String> found = topics();
        admin.deleteTopics(ofBuckets.stream().filter(found::contains).toList())
                .all()
                .get();
        await().atMost(PATIENCE).until(() -> topics().stream().noneMatch(ofBuckets::contains));
    }

    @AfterEach
    void cleanUp() throws Exception {
        deleteTopics();
        admin.close();
    }

    @Test
    void createsTheBucketTopicWithItsConfiguration() throws Exception {
        open(settings(7)).close();

        TopicDescription found = describe();
        assertThat(found.partitions()).hasSize(7);
        assertThat(found.partitions().getFirst().replicas()).hasSize(1);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
        Config config = requireNonNull(
                admin.describeConfigs(List.of(resource)).all().get().get(resource));
        assertThat(List.of(
                        config.get("cleanup.policy").value(),
                        config.get("retention.ms").value(),
                        config.get("retention.bytes").value(),
                        config.get("min.insync.replicas").value(),
                        config.get("unclean.leader.election.enable").value()))
                .containsExactly("delete", "-1", "-1", "1", "false");
    }

    @Test
    void createsTheCompactedTopicsWithTheirConfiguration() throws Exception {
        open(settings(7)).close();

        Map<String, Integer> partitions = Map.of("heddle.clients", 7, "heddle.retained", 4, "heddle.progress", 4);
        for (String topic : partitions.keySet()) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            Config config = requireNonNull(
                    admin.describeConfigs(List.of(resource)).all().get().get(resource));
            assertThat(config.get("cleanup.policy").value()).as(topic).isEqualTo("compact");
            assertThat(requireNonNull(admin.describeTopics(List.of(topic))
                                    .allTopicNames()
                                    .get()
                                    .get(topic))
                            .partitions())
                    .as(topic)
                    .hasSize(requireNonNull(partitions.get(topic)));
        }
    }

    @Test
    void aCompactedTopicWithOtherPartitionsIsRejected() throws Exception {
        FreshLogs.deleteTopics(TestServers.shared());
        admin.createTopics(List.of(
                        new NewTopic("heddle.retained", 5, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                .all()
                .get();
        await().until(() -> topics().contains("heddle.retained"));

        sentenceOf(() -> open(settings(4)))
                .contains("Topic heddle.retained", "has 5 partitions", "a topic with 4 partitions");
        FreshLogs.deleteTopics(TestServers.shared());
    }

    @Test
    void opensAgainOnExistingTopics() {
        open(settings(7)).close();

        try (KafkaCluster cluster = open(settings(7))) {
            cluster.check();
        }
        assertThat(registry.get("heddle.store.check")
                        .tags("store", "kafka", "outcome", "up")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void nodesThatStartTogetherAllOpen() throws Exception {
        Callable<Boolean> node = () -> {
            open(settings(4)).close();
            return true;
        };
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> opened : executor.invokeAll(List.of(node, node, node))) {
                assertThat(opened.get()).isTrue();
            }
        }
        assertThat(describe().partitions()).hasSize(4);
    }

    @Test
    void anotherBucketCountThanTheStoredOneIsRejectedAndChangesNothing() throws Exception {
        open(settings(4)).close();

        sentenceOf(() -> open(settings(8)))
                .contains(servers, TOPIC, "4 partitions", "heddle.buckets.count is 8", "set it back to 4");
        sentenceOf(() -> open(settings(2))).contains("set it back to 4");
        assertThat(describe().partitions()).hasSize(4);
    }

    @Test
    void partitionsAddedByHandAreNoticed() throws Exception {
        open(settings(4)).close();
        admin.createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(5))).all().get();
        await().atMost(PATIENCE).until(() -> describe().partitions().size() == 5);

        sentenceOf(() -> open(settings(4))).contains("5 partitions", "heddle.buckets.count is 4");
    }

    @Test
    void aRetentionThatLosesMessagesIsRejected() throws Exception {
        admin.createTopics(List.of(new NewTopic(TOPIC, 4, (short) 1).configs(Map.of("retention.ms", "3600000"))))
                .all()
                .get();
        await().atMost(PATIENCE).until(() -> topics().contains(TOPIC));

        sentenceOf(() -> open(settings(4)))
                .contains(TOPIC, "loses messages", "kafka-configs.sh", "--add-config retention.");
    }

    @Test
    void aReplicationFactorAboveTheBrokersIsRejected() throws Exception {
        assertThat(admin.describeCluster().nodes().get()).hasSize(1);

        sentenceOf(() ->
                        open(new KafkaSettings(servers, SHORT, 3, 4, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, SECURITY)))
                .contains(servers, "has 1 broker", "heddle.kafka.replication-factor is 3", "set it to 1");
        assertThat(topics()).doesNotContain(TOPIC);
    }

    @Test
    void anotherReplicationFactorThanTheStoredOneCausesAWarning() {
        open(settings(4)).close();

        try (LogCapture log = LogCapture.of(TopicSetup.class)) {
            open(new KafkaSettings(servers, PATIENCE, 3, 4, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, SECURITY))
                    .close();

            assertThat(log.events())
                    .hasSize(6)
                    .extracting(ILoggingEvent::getLevel)
                    .containsOnly(Level.WARN);
            assertThat(log.events().getFirst().getFormattedMessage())
                    .contains(TOPIC, "1 replicas", "heddle.kafka.replication-factor is 3");
        }
    }

    @Test
    void anUnreachableKafkaIsNamedWithItsSetting() {
        sentenceOf(() -> open(new KafkaSettings(
                        NOBODY_THERE, Duration.ofSeconds(1), 1, 4, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, Map.of())))
                .contains(NOBODY_THERE, "within 1s", "heddle.kafka.bootstrap-servers");
    }

    @Test
    void aMalformedAddressIsNamedWithItsSetting() {
        sentenceOf(() -> open(TestSettings.kafka("not an address")))
                .contains("not an address", "heddle.kafka.bootstrap-servers");
        sentenceOf(() -> open(new KafkaSettings(
                        servers,
                        SHORT,
                        1,
                        4,
                        KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                        Map.of("security.protocol", "SECRET"))))
                .contains("heddle.kafka.properties");
    }

    @Test
    void anInterruptedStartSaysSo() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> open(settings(4))).isInstanceOf(StartupException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void aClosedConnectionIsUnavailability() {
        KafkaCluster cluster = open(settings(4));
        cluster.close();

        assertThatThrownBy(cluster::check).isInstanceOf(StoreUnavailableException.class);
    }

    private KafkaSettings settings(int buckets) {
        return new KafkaSettings(servers, PATIENCE, 1, buckets, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, SECURITY);
    }

    private KafkaCluster open(KafkaSettings settings) {
        return KafkaCluster.open(settings, registry);
    }

    private Set<String> topics() throws Exception {
        return admin.listTopics().names().get();
    }

    private TopicDescription describe() throws Exception {
        return requireNonNull(
                admin.describeTopics(List.of(TOPIC)).allTopicNames().get().get(TOPIC));
    }
}
