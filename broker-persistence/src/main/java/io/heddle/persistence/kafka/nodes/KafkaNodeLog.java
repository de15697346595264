package io.heddle.persistence.kafka.nodes;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.LogOffsets;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.persistence.record.NodeRecordFormat;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic {@code heddle.nodes}. Any thread may use it. Owns a producer, and a {@link PollLoop} from {@link #follow} to {@link #close}.
 * Bounded by its callers: one heartbeat is on its way at a time.
 */
public final class KafkaNodeLog implements NodeLog, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KafkaNodeLog.class);
    private static final TopicPartition PARTITION = new TopicPartition(KafkaTopics.NODES, KafkaTopics.NODES_PARTITION);
    private static final String THREAD = "heddle-nodes";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Producer<byte[], byte[]> producer;
    private final LogConsumers consumers;
    private final LogOffsets offsets;
    private final WatchedThreads threads;
    private final String clientId;
    private final MeterRegistry registry;
    // Guarded by this.
    private @Nullable PollLoop loop;

    private KafkaNodeLog(
            Producer<byte[], byte[]> producer,
            LogConsumers consumers,
            LogOffsets offsets,
            WatchedThreads threads,
            String clientId,
            MeterRegistry registry) {
        this.producer = producer;
        this.consumers = consumers;
        this.offsets = offsets;
        this.threads = threads;
        this.clientId = clientId;
        this.registry = registry;
    }

    /** @param cluster must stay open until the log is closed */
    public static KafkaNodeLog open(KafkaCluster cluster, String nodeId, MeterRegistry registry) {
        KafkaSettings settings = cluster.settings();
        String clientId = "heddle-nodes-" + nodeId;
        return new KafkaNodeLog(
                producer(settings, clientId),
                new LogConsumers(settings),
                new LogOffsets(cluster.admin()),
                cluster.threads(),
                clientId,
                registry);
    }

    private static Producer<byte[], byte[]> producer(KafkaSettings settings, String clientId) {
        Map<String, Object> all = settings.clientProperties(clientId);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        // A Joined record that were written twice would be two nodes.
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        all.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 50);
        all.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        // A late heartbeat is worth nothing, and could void a justified declaration of death.
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 4_000);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 2_000);
        try {
            return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).badSettings(e);
        }
    }

    @Override
    public CompletionStage<Appended> append(NodeRecord record) {
        CompletableFuture<Appended> answer = new CompletableFuture<>();
        ProducerRecord<byte[], byte[]> bytes =
                new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, NodeRecordFormat.encode(record));
        try {
            Future<RecordMetadata> _ = producer.send(bytes, (metadata, fault) -> {
                if (fault == null) {
                    answer.complete(new Appended(metadata.offset(), metadata.timestamp()));
                } else {
                    answer.completeExceptionally(fault);
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    @Override
    public void follow(Follower follower) {
        long beginning;
        try {
            beginning = offsets.beginnings(List.of(PARTITION))
                    .toCompletableFuture()
                    .join()
                    .getFirst();
        } catch (CompletionException e) {
            throw StoreUnavailableException.kafka("Kafka did not list the offsets of " + NAME, e);
        }
        follower.onBeginning(beginning);
        synchronized (this) {
            if (loop != null) {
                throw new IllegalStateException("this log is followed already");
            }
            loop = new PollLoop(
                    THREAD,
                    consumers.createFollower(clientId),
                    new NodeLogReader(PARTITION, beginning, follower),
                    threads,
                    registry);
            loop.start();
        }
    }

    @Override
    public CompletionStage<Bounds> bounds() {
        // The beginning first: a beginning asked for after the end could be above it.
        return offsets.beginnings(List.of(PARTITION))
                .thenCompose(beginnings -> offsets.ends(List.of(PARTITION))
                        .thenApply(ends -> new Bounds(beginnings.getFirst(), ends.getFirst())));
    }

    /** Stops following, and waits a second for the answers of pending appends. Blocks. */
    @Override
    public void close() {
        PollLoop stopped;
        synchronized (this) {
            stopped = loop;
        }
        if (stopped != null) {
            stopped.close();
        }
        try {
            producer.close(CLOSE_TIMEOUT);
        } catch (InterruptException e) {
            log.debug("An interrupted start does not wait for the answers of pending appends", e);
        }
    }
}
