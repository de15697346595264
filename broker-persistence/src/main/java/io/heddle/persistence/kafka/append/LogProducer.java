package io.heddle.persistence.kafka.append;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An idempotent producer that any thread appends through, event loops too: it never waits. What is appended to a destination stays in
 * order, each record is answered once, and only what can never be appended fails: as long as Kafka is away, everything waits.
 *
 * <p>Group commit: no linger, and one request under way per connection, so that the next batch leaves when the one before is
 * acknowledged. Bounded by {@link PendingAppends}. Owns one thread that tries again ({@link WaitingAppends}) besides that of Kafka's
 * client.
 */
public final class LogProducer implements AutoCloseable {
    private static final long METADATA_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    /** A topic that nothing was appended to for long is not to be looked up again first. */
    static final Duration OF_TOPICS_THAT_STAY = Duration.ofDays(1_000);

    /** One that is deleted must be forgotten, else it is asked for again and again. */
    static final Duration OF_TOPICS_THAT_GO = Duration.ofMinutes(5);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final PendingAppends pending;
    private final AppendMetrics metrics;
    private final WaitingAppends waiting;
    private final Map<TopicPartition, Destination> destinations = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @param name of its threads, {@code heddle-} and what it appends */
    LogProducer(String name, Producer<byte[], byte[]> producer, PendingAppends pending, AppendMetrics metrics) {
        this.producer = producer;
        this.pending = pending;
        this.metrics = metrics;
        this.waiting = new WaitingAppends(name + "-waiting", producer);
        waiting.start();
    }

    /**
     * Connects.
     *
     * @param batchBytes a producer takes as much memory for each partition that it writes to
     * @param metadataIdle for how long it knows where a topic is that nothing is appended to
     */
    static LogProducer open(
            String name,
            KafkaSettings settings,
            ProducerSettings producers,
            int batchBytes,
            Duration metadataIdle,
            PendingAppends pending,
            AppendMetrics metrics) {
        Map<String, Object> all = settings.clientProperties(name + "-" + producers.nodeId());
        durable(all);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, batchBytes);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, producers.bufferMemoryBytes());
        // An append is never sent again by Heddle: the producer, which knows what arrived, tries for as long as it
        // takes.
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        all.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, metadataIdle.toMillis());
        return new LogProducer(name, create(all, settings), pending, metrics);
    }

    /** What makes a record outlive any one of Kafka's brokers, once, in order, and quickly. */
    static void durable(Map<String, Object> properties) {
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, KafkaTopics.LARGEST_RECORD_BYTES);
        properties.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 50);
        properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    }

    static Producer<byte[], byte[]> create(Map<String, Object> properties, KafkaSettings settings) {
        try {
            return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).badSettings(e);
        }
    }

    /**
     * Waits until it knows where each of these topics is, so that their first appends need not wait.
     *
     * @throws StartupException when that takes longer than until the deadline
     */
    void learn(List<String> topics, Deadline deadline, KafkaFaults faults) {
        for (String topic : topics) {
            try {
                while (!knows(topic)) {
                    if (deadline.isOver()) {
                        throw faults.connecting(new TimeoutException("where " + topic + " is"));
                    }
                    LockSupport.parkNanos(METADATA_PAUSE_NANOS);
                }
            } catch (KafkaException e) {
                throw faults.connecting(e);
            }
        }
    }

    /**
     * Whether it knows where a topic is; asks for it when it does not. Does not wait.
     *
     * @throws KafkaException when it can't ever know
     */
    public boolean knows(String topic) {
        try {
            producer.partitionsFor(topic);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Nothing is appended to a partition any more, because it is gone. */
    public void forget(TopicPartition partition) {
        destinations.remove(partition);
    }

    /** Where records are appended; the same object for the same partition. The partition must be one that exists. */
    Destination destination(String topic, int partition) {
        return destinations.computeIfAbsent(
                new TopicPartition(topic, partition), at -> new Destination(topic, pending.of(topic), metrics));
    }

    /** Whether there is room for so many bytes more of messages. */
    boolean accepts(long bytes) {
        return pending.messages().accepts(bytes);
    }

    /** Appends a record to its partition. Completes when it is durable; fails when it can never be appended, or nobody knows. */
    public CompletionStage<Void> append(ProducerRecord<byte[], byte[]> record) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        append(destination(record.topic(), record.partition()), record, new AppendListener() {
            @Override
            public void appended(long offset) {
                done.complete(null);
            }

            @Override
            public void failed(Throwable reason) {
                done.completeExceptionally(reason);
            }
        });
        return done;
    }

    /** Appends a record to its destination. */
    void append(Destination destination, ProducerRecord<byte[], byte[]> record, AppendListener listener) {
        long bytes = PendingAppends.bytesOf(record);
        PendingAppends.Share share = destination.share();
        if (closed || !share.take(bytes)) {
            RuntimeException refusal = closed ? new LogClosedException() : new AppendLimitException();
            metrics.failed(record.topic(), refusal);
            listener.failed(refusal);
            return;
        }
        PendingRecord append = new PendingRecord(record, bytes, listener, share, metrics, destination.timer());
        if (!destination.append(append, producer)) {
            waiting.add(destination);
        }
    }

    /** Waits some seconds for what is under way; what has no answer then has failed, because nobody knows. */
    @Override
    public void close() {
        closed = true;
        waiting.close();
        destinations.values().forEach(destination -> destination.close().forEach(this::giveUp));
        producer.close(CLOSE_PATIENCE);
    }

    private void giveUp(PendingRecord record) {
        record.fail(new LogClosedException());
    }
}
