package io.heddle.persistence.kafka.application;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.ArrivalHeader;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.append.ApplicationAppends;
import io.heddle.persistence.kafka.append.LogProducer;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.record.ApplicationRecordFormat;
import io.heddle.persistence.record.RecordReader;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The logs of APPLICATION clients, one topic for each client. Thread-safe. Combines the lifecycle of the topics, their consumers, and the
 * encoding of records.
 *
 * <p>Metrics: {@code heddle.applications.*}.
 */
public final class KafkaApplicationLogs implements ApplicationLogs, ApplicationAppends, AutoCloseable {
    /** Small, because each connected client may hold as much in memory; the next fetch brings the rest. */
    private static final int PARTITION_FETCH_BYTES = 128 << 10;

    private static final int FETCH_BYTES = 4 << 20;
    // A client that connects waits for the fetch in flight.
    private static final int LONGEST_FETCH_MILLIS = 100;
    private static final int MAXIMUM_RECORDS = 500;

    private final ApplicationTopics topics;
    private final ApplicationPositions positions;
    private final LogProducer producer;
    private final ApplicationMetrics metrics;
    private final List<ApplicationConsumer> consumers = new ArrayList<>();

    private KafkaApplicationLogs(
            ApplicationTopics topics,
            ApplicationPositions positions,
            LogProducer producer,
            ApplicationMetrics metrics) {
        this.topics = topics;
        this.positions = positions;
        this.producer = producer;
        this.metrics = metrics;
    }

    /**
     * Opens the logs. No log is read before {@link #read}.
     *
     * @param life of this node, which is confirmed before each deletion
     */
    public static KafkaApplicationLogs open(
            KafkaCluster cluster,
            ApplicationLogSettings limits,
            NodeLife life,
            LogProducer producer,
            MeterRegistry registry) {
        ApplicationMetrics metrics = new ApplicationMetrics(registry);
        ApplicationTopics topics = new ApplicationTopics(
                cluster.admin(), cluster.settings(), limits, life, producer, System::nanoTime, metrics);
        KafkaApplicationLogs logs =
                new KafkaApplicationLogs(topics, new ApplicationPositions(cluster.admin()), producer, metrics);
        LogConsumers consumers = new LogConsumers(cluster.settings());
        Map<String, Object> fetches = Map.of(
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                PARTITION_FETCH_BYTES,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                FETCH_BYTES,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                LONGEST_FETCH_MILLIS,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                MAXIMUM_RECORDS);
        for (int i = 0; i < limits.consumers(); i++) {
            String name = "heddle-applications-" + i;
            ApplicationConsumer consumer = new ApplicationConsumer(
                    name, consumers.create(name, fetches), System::nanoTime, metrics, cluster.threads(), registry);
            logs.consumers.add(consumer);
            consumer.start();
        }
        Gauge.builder("heddle.applications.lag", logs, KafkaApplicationLogs::lag)
                .description("Messages in the logs of connected APPLICATION clients that were not delivered yet")
                .register(registry);
        return logs;
    }

    private double lag() {
        double sum = 0;
        for (ApplicationConsumer consumer : consumers) {
            sum += consumer.lag();
        }
        return sum;
    }

    @Override
    public CompletionStage<Long> create(ClientId clientId, long generation) {
        return topics.create(clientId, generation);
    }

    @Override
    public CompletionStage<Long> end(ClientId clientId, long generation, long lowest) {
        return topics.end(clientId, generation, lowest);
    }

    @Override
    public CompletionStage<Map<ClientId, Long>> take(int bucket, Map<ClientId, Long> generations) {
        return topics.take(bucket, generations);
    }

    @Override
    public CompletionStage<Void> release(int bucket) {
        return topics.release(bucket);
    }

    @Override
    public int forget(ClientId clientId, long generation) {
        ApplicationTopic topic = topics.find(clientId);
        if (topic == null) {
            return 0;
        }
        int abandoned = producer.abandon(topic.partition(), record -> generation(record) <= generation);
        topics.forget(clientId);
        return abandoned;
    }

    private static long generation(ProducerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(ApplicationRecordFormat.HEADER);
        return ApplicationRecordFormat.generation(
                new RecordReader(header.value(), () -> "a record for " + record.topic()));
    }

    @Override
    public void acknowledged(ClientId clientId, long generation, long lowest) {
        ApplicationTopic topic = topics.find(clientId);
        if (topic != null) {
            topic.onAcknowledged(generation, lowest);
        }
    }

    @Override
    public CompletionStage<Void> keep(ClientId clientId, long generation) {
        return topics.keep(clientId, generation);
    }

    @Override
    public CompletionStage<Map<ClientId, LogExtent>> extents(Collection<ClientId> clientIds) {
        return positions.extents(clientIds);
    }

    @Override
    public CompletionStage<Long> find(ClientId clientId, LogPosition position) {
        return positions.find(clientId, position);
    }

    @Override
    public Reading read(ClientId clientId, long generation, long from, Sink sink) {
        ApplicationConsumer consumer = consumers.get(Math.floorMod(clientId.hashCode(), consumers.size()));
        return consumer.open(clientId, topics.topic(clientId).partition(), generation, from, sink);
    }

    // Appends.

    @Override
    public ProducerRecord<byte[], byte[]> record(ToApplication append) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(ApplicationRecordFormat.HEADER, ApplicationRecordFormat.header(append));
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topics.topic(append.clientId()).name(),
                0,
                ApplicationRecordFormat.key(append),
                append.message().payload().array(),
                headers);
        ArrivalHeader.add(append.message(), record);
        return record;
    }

    @Override
    public LogProducer producer() {
        return producer;
    }

    @Override
    public void onStarted(ToApplication append) {
        topics.onAppendStarted(append.clientId());
    }

    @Override
    public void onFinished(ToApplication append, boolean appended) {
        topics.topic(append.clientId()).onAppendFinished();
        if (appended) {
            metrics.appended.increment();
        }
    }

    /** Stops reading and deleting. Blocks until the consumers' threads have ended. */
    @Override
    public void close() {
        consumers.forEach(ApplicationConsumer::close);
        topics.close();
    }
}
