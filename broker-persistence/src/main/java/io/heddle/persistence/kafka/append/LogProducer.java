package io.heddle.persistence.kafka.append;

import io.heddle.core.Limit;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.StartDeadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * An idempotent producer that any thread may use, event loops too, because it never blocks. Records of one partition keep their order,
 * and each is answered once. Only a record that Kafka permanently rejects fails; while Kafka is unavailable, records are queued.
 *
 * <p>Group commit: no linger and one request in flight per connection, so that the next batch leaves when the previous one is
 * acknowledged. Bounded by {@link PendingAppends}. Owns a thread for retries ({@link AppendRetries}) besides that of Kafka's client.
 */
public final class LogProducer implements AutoCloseable {
    private static final long METADATA_POLL_NANOS = Duration.ofMillis(20).toNanos();
    /** Metadata of permanent topics never expires, so that an append to an idle topic need not wait for it. */
    public static final Duration METADATA_IDLE_OF_PERMANENT_TOPICS = Duration.ofDays(1_000);

    /** Metadata of topics that are deleted must expire, because the client would request it for ever. */
    static final Duration METADATA_IDLE_OF_TEMPORARY_TOPICS = Duration.ofMinutes(5);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final PendingAppends pending;
    private final AppendMetrics metrics;
    private final AppendRetries retries;
    private final Map<TopicPartition, Destination> destinations = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @param name the prefix of its threads' names */
    LogProducer(
            String name,
            Producer<byte[], byte[]> producer,
            PendingAppends pending,
            LongSupplier nanoTime,
            AppendMetrics metrics) {
        this.producer = producer;
        this.pending = pending;
        this.metrics = metrics;
        this.retries = new AppendRetries(name + "-waiting", producer, nanoTime);
        retries.start();
    }

    /**
     * @param batchBytes the memory that the producer takes for each partition that it writes to
     * @param metadataIdle the time after which metadata of an idle topic expires
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
        addDurability(all);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, batchBytes);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, producers.bufferMemoryBytes());
        // Heddle never resends a record. The producer, which knows which records arrived, retries without limit.
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        all.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, metadataIdle.toMillis());
        return new LogProducer(name, create(all, settings), pending, System::nanoTime, metrics);
    }

    /** Adds the settings under which records survive the loss of a Kafka broker, without duplicates, in order and with low latency. */
    public static void addDurability(Map<String, Object> properties) {
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, KafkaTopics.LARGEST_RECORD_BYTES);
        properties.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 50);
        properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    }

    /** Creates a producer, which the caller closes. */
    public static Producer<byte[], byte[]> create(Map<String, Object> properties, KafkaSettings settings) {
        try {
            return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).badSettings(e);
        }
    }

    /**
     * Waits for the metadata of these topics, so that their first appends need not wait for it.
     *
     * @throws StartupException when it does not arrive before the deadline
     */
    void awaitMetadata(List<String> topics, StartDeadline deadline, KafkaFaults faults) {
        awaitMetadata(producer, topics, deadline, faults);
    }

    /**
     * Waits for the metadata that a producer needs for these topics.
     *
     * @throws StartupException when it does not arrive before the deadline
     */
    public static void awaitMetadata(
            Producer<?, ?> producer, List<String> topics, StartDeadline deadline, KafkaFaults faults) {
        for (String topic : topics) {
            try {
                while (!hasMetadata(producer, topic)) {
                    if (deadline.isOver()) {
                        throw faults.connecting(new TimeoutException("no metadata of " + topic));
                    }
                    LockSupport.parkNanos(METADATA_POLL_NANOS);
                }
                deadline.onProgress("the metadata of " + topic);
            } catch (KafkaException e) {
                throw faults.connecting(e);
            }
        }
    }

    /**
     * Returns whether the metadata of a topic is known, and requests it if not. Does not block.
     *
     * @throws KafkaException when Kafka permanently rejects the request
     */
    public boolean hasMetadata(String topic) {
        return hasMetadata(producer, topic);
    }

    private static boolean hasMetadata(Producer<?, ?> producer, String topic) {
        try {
            producer.partitionsFor(topic);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /**
     * Gives up the records of a log that are not answered and that this condition selects. Each is answered as abandoned. A record that the
     * producer has accepted may still be appended, or stay in the producer's memory until its topic exists again.
     *
     * @return the number of records
     */
    public int abandon(TopicPartition partition, Predicate<ProducerRecord<byte[], byte[]>> condition) {
        Destination destination = destinations.get(partition);
        List<PendingRecord> abandoned = destination == null ? List.of() : destination.abandon(condition);
        abandoned.forEach(PendingRecord::abandon);
        return abandoned.size();
    }

    /** Forgets a deleted partition. */
    public void forget(TopicPartition partition) {
        destinations.remove(partition);
    }

    /** Returns the queue of a partition, which must exist; always the same object for the same partition. */
    Destination destination(String topic, int partition) {
        return destinations.computeIfAbsent(
                new TopicPartition(topic, partition), at -> new Destination(topic, pending.of(topic), metrics));
    }

    /** Returns whether the pending appends leave room for a message of this size. */
    boolean accepts(long bytes) {
        return pending.messages().accepts(bytes);
    }

    /** Returns the bytes that one publisher's messages without an answer may have. */
    long publisherShare() {
        return pending.messages().publisherShare();
    }

    /** Returns the limit of the bytes of messages without an answer. */
    Limit pendingLimit() {
        return new Limit("heddle.kafka.pending-limit", pending.messages().limit());
    }

    /** Appends a record. Completes when it is durable; fails when Kafka permanently rejects it, or the outcome is unknown. */
    public CompletionStage<Void> append(ProducerRecord<byte[], byte[]> record) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        append(destination(record.topic(), record.partition()), record, new AppendListener() {
            @Override
            public void onAppended(long offset) {
                done.complete(null);
            }

            @Override
            public void onFailed(Throwable reason) {
                done.completeExceptionally(reason);
            }
        });
        return done;
    }

    /** Appends a record to its partition's queue, which the hot path keeps instead of looking it up. */
    void append(Destination destination, ProducerRecord<byte[], byte[]> record, AppendListener listener) {
        if (destination.share().take(PendingAppends.bytesOf(record))) {
            appendReserved(destination, record, listener);
        } else {
            reject(record, new AppendLimitException(), listener);
        }
    }

    private void reject(ProducerRecord<byte[], byte[]> record, RuntimeException reason, AppendListener listener) {
        metrics.failed(record.topic(), reason);
        listener.onFailed(reason);
    }

    /**
     * Reserves the bytes of the records of one message, so that all of them have room, or none. Append them with {@link #appendReserved}.
     *
     * @return the reason why not, or null
     */
    @Nullable
    RuntimeException reserve(List<ProducerRecord<byte[], byte[]>> records) {
        long bytes = 0;
        for (ProducerRecord<byte[], byte[]> record : records) {
            bytes += PendingAppends.bytesOf(record);
        }
        if (pending.messages().take(bytes)) {
            return null;
        }
        AppendLimitException reason = new AppendLimitException();
        metrics.failed(records.getFirst().topic(), reason);
        return reason;
    }

    /** Appends a record whose bytes are reserved. */
    void appendReserved(Destination destination, ProducerRecord<byte[], byte[]> record, AppendListener listener) {
        long bytes = PendingAppends.bytesOf(record);
        if (closed) {
            destination.share().release(bytes);
            reject(record, new LogClosedException(), listener);
            return;
        }
        PendingRecord append = new PendingRecord(record, bytes, listener, destination, metrics);
        if (!destination.append(append, producer)) {
            retries.add(destination);
        }
    }

    /** Refuses further appends. Does not block; any thread. */
    void refuse() {
        closed = true;
    }

    /** Fails queued records, and waits some seconds for the answers of records in flight; without one, a record fails as unknown. */
    @Override
    public void close() {
        closed = true;
        retries.close();
        destinations.values().forEach(destination -> destination.close().forEach(this::giveUp));
        producer.close(CLOSE_TIMEOUT);
    }

    private void giveUp(PendingRecord record) {
        record.fail(new LogClosedException());
    }
}
