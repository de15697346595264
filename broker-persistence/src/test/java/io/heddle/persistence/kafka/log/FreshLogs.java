package io.heddle.persistence.kafka.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.core.testkit.UnboundedLag;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.TestLife;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.LogOffsets;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The logs of a node on a Kafka with empty topics. */
public final class FreshLogs implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** A consumer that closes waits for the answer to its last fetch. */
    private static final Map<String, Object> SHORT_FETCHES = Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);

    public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    public final String nodeId = "node-" + UUID.randomUUID();
    public final TestLife life = new TestLife();
    public final KafkaSettings settings;
    public final BucketPositions positions;
    public final KafkaCluster cluster;
    public final KafkaLogs logs;

    /** Uses the servers that all tests share. */
    public FreshLogs(int buckets) throws Exception {
        this(TestServers.shared(), buckets, TestSettings.PENDING_LIMIT_BYTES);
    }

    public FreshLogs(Endpoints servers, int buckets, long pendingLimitBytes) throws Exception {
        this(servers, buckets, pendingLimitBytes, TestSettings.applicationLogs());
    }

    public FreshLogs(Endpoints servers, int buckets, long pendingLimitBytes, ApplicationLogSettings limits)
            throws Exception {
        settings = new KafkaSettings(
                servers.kafkaBootstrapServers(),
                TIMEOUT,
                1,
                buckets,
                KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                servers.kafkaSecurity());
        deleteTopics(servers);
        positions = UnboundedLag.positions(buckets);
        cluster = KafkaCluster.open(settings, registry);
        logs = KafkaLogs.open(
                cluster, new ProducerSettings(nodeId, 32 << 20, pendingLimitBytes), life, limits, positions, registry);
    }

    public static void deleteTopics(Endpoints servers) throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(servers, Map.of()))) {
            Set<String> found = admin.listTopics().names().get();
            List<String> own =
                    found.stream().filter(name -> name.startsWith("heddle.")).toList();
            admin.deleteTopics(own).all().get();
            await().until(() -> admin.listTopics().names().get().stream().noneMatch(own::contains));
        }
    }

    /** Appends each of these, outside of transactions and in order, and returns when all are durable. */
    public void append(List<? extends LogAppend> appends) throws Exception {
        List<RecordingOutcome> outcomes = new ArrayList<>();
        for (LogAppend append : appends) {
            RecordingOutcome outcome = new RecordingOutcome();
            outcomes.add(outcome);
            logs.messages().append(List.of(append), outcome);
        }
        for (RecordingOutcome outcome : outcomes) {
            assertThat(outcome.await()).isNull();
        }
    }

    /** Returns the value of a counter of the node. */
    public double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    /** Reads the committed records of a partition. */
    public List<ConsumerRecord<byte[], byte[]>> records(String topic, int partition) {
        TopicPartition one = new TopicPartition(topic, partition);
        long end = new LogOffsets(cluster.admin())
                .ends(List.of(one))
                .toCompletableFuture()
                .join()
                .getFirst();
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = new LogConsumers(settings).create("test", SHORT_FETCHES)) {
            consumer.assign(List.of(one));
            consumer.seek(one, 0);
            PollLoop.until(() -> consumer.position(one) >= end, consumer, records -> records.forEach(found::add));
        }
        return found;
    }

    /** Creates a producer that is not one of the node's. */
    public Producer<byte[], byte[]> producer(String clientId, Map<String, Object> properties) {
        Map<String, Object> all = settings.clientProperties(clientId);
        all.putAll(properties);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void close() {
        logs.close();
        cluster.close();
    }
}
