package io.heddle.persistence.kafka.nodes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.testkit.NodeLogContract;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaNodeLogIT extends NodeLogContract {
    private static final TopicPartition PARTITION = new TopicPartition(KafkaTopics.NODES, 0);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KafkaSettings settings;
    private final KafkaCluster cluster;
    private final KafkaNodeLog first;
    private final KafkaNodeLog second;

    KafkaNodeLogIT() throws Exception {
        Endpoints servers = TestServers.shared();
        FreshLogs.deleteTopics(servers);
        settings = new KafkaSettings(
                servers.kafkaBootstrapServers(),
                Duration.ofSeconds(30),
                1,
                1,
                KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                servers.kafkaSecurity());
        cluster = KafkaCluster.open(settings, registry);
        first = KafkaNodeLog.open(cluster, "node-1", registry);
        second = KafkaNodeLog.open(cluster, "node-2", registry);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        cluster.close();
    }

    @Override
    protected NodeLog log() {
        return first;
    }

    @Override
    protected NodeLog other() {
        return second;
    }

    /** Keeps the last offset, and the reason why following ended. */
    private static final class Reader implements NodeLog.Follower {
        private volatile long reached;
        private volatile @Nullable String lost;

        @Override
        public void onBeginning(long offset) {}

        @Override
        public void onRecord(long offset, NodeRecord record) {}

        @Override
        public void onReached(long next) {
            reached = next;
        }

        @Override
        public void onLost(String reason) {
            lost = reason;
        }
    }

    @Test
    void theTopicKeepsRecordsForAnHourOfKafkasTime() throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, KafkaTopics.NODES);
        Config config = requireNonNull(
                cluster.admin().describeConfigs(List.of(resource)).all().get().get(resource));

        assertThat(List.of(
                        config.get("cleanup.policy").value(),
                        config.get("message.timestamp.type").value(),
                        config.get("retention.ms").value(),
                        config.get("segment.ms").value()))
                .containsExactly("delete", "LogAppendTime", "3600000", "600000");
    }

    @Test
    void aFollowerWhoseNextRecordIsDeletedIsLost() throws Exception {
        for (int i = 0; i < 5; i++) {
            first.append(left()).toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
        cluster.admin()
                .deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(3)))
                .all()
                .get();
        assertThat(first.bounds().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isEqualTo(new NodeLog.Bounds(3, 5));

        Reader reader = new Reader();
        NodeLogReader handler = new NodeLogReader(PARTITION, 1, reader);
        try (PollLoop loop = new PollLoop(
                "test", new LogConsumers(settings).create("test"), handler, new WatchedThreads(), registry)) {
            loop.start();
            await().until(() -> reader.lost != null);
        }
        assertThat(reader.lost).contains("heddle.nodes", "offset 1");
    }

    @Test
    void aRecordThatAnotherBuildWroteEndsTheFollowing() throws Exception {
        Reader reader = new Reader();
        first.follow(reader);
        first.append(left()).toCompletableFuture().get(20, TimeUnit.SECONDS);
        await().until(() -> reader.reached == 1);
        try (Producer<byte[], byte[]> later = new KafkaProducer<>(
                settings.clientProperties("later"), new ByteArraySerializer(), new ByteArraySerializer())) {
            later.send(new ProducerRecord<>(KafkaTopics.NODES, 0, null, new byte[] {99}))
                    .get();
        }

        await().until(() -> reader.lost != null);
        assertThat(reader.lost)
                .contains(
                        "heddle.nodes, partition 0, offset 1",
                        "of version 99",
                        "if another build wrote it, back up with the build that wrote it");
    }

    private static NodeRecord left() {
        return new Left(new Incarnation(0, 1));
    }
}
