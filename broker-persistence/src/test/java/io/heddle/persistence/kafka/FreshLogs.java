package io.heddle.persistence.kafka;

import static org.awaitility.Awaitility.await;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.testkit.UnboundedLag;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The node's logs on a Kafka whose topics are empty. */
final class FreshLogs implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final String nodeId = "node-" + UUID.randomUUID();
    final KafkaSettings settings;
    final BucketPositions positions;
    final KafkaCluster cluster;
    final KafkaLogs logs;

    /** On the servers that all tests share. */
    FreshLogs(int buckets) throws Exception {
        this(TestServers.shared(), buckets, ProducerSettings.DEFAULT_PENDING_LIMIT_BYTES);
    }

    FreshLogs(Endpoints servers, int buckets, long pendingLimitBytes) throws Exception {
        this(servers, buckets, pendingLimitBytes, ApplicationLogSettings.defaults());
    }

    FreshLogs(Endpoints servers, int buckets, long pendingLimitBytes, ApplicationLogSettings limits) throws Exception {
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
                cluster, new ProducerSettings(nodeId, 32 << 20, pendingLimitBytes), limits, positions, registry);
    }

    static void deleteTopics(Endpoints servers) throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(servers, Map.of()))) {
            Set<String> found = admin.listTopics().names().get();
            List<String> own =
                    found.stream().filter(name -> name.startsWith("heddle.")).toList();
            admin.deleteTopics(own).all().get();
            await().until(() -> admin.listTopics().names().get().stream().noneMatch(own::contains));
        }
    }

    /** What a reader finds now in a partition: nothing of what is not committed. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic, int partition) {
        TopicPartition one = new TopicPartition(topic, partition);
        long end = new LogOffsets(cluster.admin())
                .ends(List.of(one))
                .toCompletableFuture()
                .join()
                .getFirst();
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = new LogConsumers(settings).create("test")) {
            consumer.assign(List.of(one));
            consumer.seek(one, 0);
            PollLoop.until(() -> consumer.position(one) >= end, consumer, records -> records.forEach(found::add));
        }
        return found;
    }

    @Override
    public void close() {
        logs.close();
        cluster.close();
    }
}
