package io.heddle.persistence.kafka.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.core.client.event.ClientWatcher;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.StartDeadline;
import io.heddle.persistence.kafka.append.LogProducer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Appends the events of this node's clients to {@code heddle.events}, as JSON. The events of a client are in one partition, in their order. Best
 * effort: an event above the rate of its kind, or for which the producer has no memory, or that Kafka has not accepted in time, is counted and not
 * sent. Thread-safe, never blocks, except for {@link #open} and {@link #close}.
 *
 * <p>Bounds: the rate of each kind, and {@value #BUFFER_BYTES} bytes in memory for {@link #DELIVERY_TIMEOUT}. Metric: {@code
 * heddle.events{kind,outcome}}.
 */
public final class EventPublisher implements ClientWatcher, AutoCloseable {
    private static final int VERSION = 1;
    private static final String SUPPRESSED = "suppressed";
    private static final int BUFFER_BYTES = 8 << 20;
    private static final int BATCH_BYTES = 64 << 10;
    private static final Duration LINGER = Duration.ofMillis(100);
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final String nodeId;
    private final Producer<byte[], byte[]> producer;
    private final SteadyClock clock;
    private final LongSupplier nanoTime;
    private final Map<Kind, PublishedKind> kinds = new EnumMap<>(Kind.class);
    private final EventCounts ofSuppressed;

    /**
     * Publishes through a producer, which this object closes.
     *
     * @param kinds those that are published; others are not accepted
     * @param maximumRate of each kind, in events a second
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    EventPublisher(
            String nodeId,
            Collection<Kind> kinds,
            int maximumRate,
            Producer<byte[], byte[]> producer,
            SteadyClock clock,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.nodeId = nodeId;
        this.producer = producer;
        this.clock = clock;
        this.nanoTime = nanoTime;
        long nowNanos = nanoTime.getAsLong();
        for (Kind each : kinds) {
            this.kinds.put(each, new PublishedKind(each, maximumRate, nowNanos, registry));
        }
        this.ofSuppressed = new EventCounts(SUPPRESSED, registry);
    }

    /**
     * Connects. The topic exists.
     *
     * @param kinds those that are published
     * @param maximumRate of each kind, in events a second
     * @throws StartupException when Kafka does not describe the topic in time
     */
    public static EventPublisher open(
            KafkaSettings settings,
            String nodeId,
            Collection<Kind> kinds,
            int maximumRate,
            SteadyClock clock,
            MeterRegistry registry) {
        Producer<byte[], byte[]> producer = LogProducer.create(properties(settings, nodeId), settings);
        boolean ready = false;
        try {
            LogProducer.awaitMetadata(
                    producer,
                    List.of(KafkaTopics.EVENTS),
                    StartDeadline.after(settings.connectTimeout(), System::nanoTime),
                    new KafkaFaults(settings));
            ready = true;
        } finally {
            if (!ready) {
                producer.close(Duration.ZERO);
            }
        }
        return new EventPublisher(nodeId, kinds, maximumRate, producer, clock, System::nanoTime, registry);
    }

    private static Map<String, Object> properties(KafkaSettings settings, String nodeId) {
        Map<String, Object> all = settings.clientProperties("heddle-events-" + nodeId);
        LogProducer.addDurability(all);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        all.put(ProducerConfig.LINGER_MS_CONFIG, LINGER.toMillis());
        all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(REQUEST_TIMEOUT.toMillis()));
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(DELIVERY_TIMEOUT.toMillis()));
        all.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, LogProducer.METADATA_IDLE_OF_PERMANENT_TOPICS.toMillis());
        return all;
    }

    @Override
    public boolean accepts(Kind kind) {
        PublishedKind published = kinds.get(kind);
        return published != null && published.rate().tryTake(nanoTime.getAsLong());
    }

    @Override
    public void onEvent(ClientEvent event) {
        PublishedKind published = kinds.get(event.kind());
        if (published != null) {
            send(event.kind().text(), event.described(), published.counts());
        }
    }

    /** Publishes how many events were not accepted since the last call, because of the rate. Called once a second, on one thread. */
    public void publishSuppressed() {
        kinds.forEach((kind, published) -> {
            long count = published.takeSuppressed();
            if (count > 0) {
                send(SUPPRESSED, new EventValues().with("kind", kind.text()).with("count", count), ofSuppressed);
            }
        });
    }

    private void send(String event, EventValues described, EventCounts counts) {
        long millis = clock.millis();
        EventValues values = new EventValues()
                .with("version", VERSION)
                .with("time", Instant.ofEpochMilli(millis).toString())
                .with("node", nodeId)
                .with("event", event)
                .withAll(described);
        byte[] json = JsonMapper.shared().writeValueAsBytes(values.toMap());
        try {
            var _ = producer.send(
                    new ProducerRecord<>(KafkaTopics.EVENTS, null, millis, key(values), json),
                    (_, failure) -> counts.count(failure));
        } catch (KafkaException | IllegalStateException refused) {
            // Such as a producer that is closed already.
            counts.count(refused);
        }
    }

    private static byte @Nullable [] key(EventValues values) {
        return values.toMap().get("clientId") instanceof String clientId ? clientId.getBytes(UTF_8) : null;
    }

    /** Waits for up to {@link #CLOSE_TIMEOUT} until the events in memory are sent. */
    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
