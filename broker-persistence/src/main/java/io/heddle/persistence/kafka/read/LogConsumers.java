package io.heddle.persistence.kafka.read;

import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Creates consumers with assigned partitions that read only committed records. No consumer is in a group, stores offsets in Kafka, or
 * resets its position when an offset is out of range.
 */
public final class LogConsumers {
    // Kafka delays an empty answer for this long and answers at once when a record arrives.
    private static final int LONGEST_FETCH_MILLIS = 500;
    private static final int LONGEST_FOLLOWER_FETCH_MILLIS = 5_000;
    private static final int MAXIMUM_RECORDS = 2_000;

    private final KafkaSettings settings;

    public LogConsumers(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Creates a consumer, which one thread at a time may use. */
    public Consumer<byte[], byte[]> create(String name) {
        return create(name, Map.of());
    }

    /**
     * Creates a consumer of partitions that stay the same. Kafka answers a fetch when there is a record, so an idle follower costs a request in
     * each {@value #LONGEST_FOLLOWER_FETCH_MILLIS} ms. A partition that is assigned later would wait for the answer to the fetch in flight.
     */
    public Consumer<byte[], byte[]> createFollower(String name) {
        return create(name, Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FOLLOWER_FETCH_MILLIS));
    }

    /** Creates a consumer with other fetch settings. */
    public Consumer<byte[], byte[]> create(String name, Map<String, Object> fetches) {
        Map<String, Object> all = settings.clientProperties(name);
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FETCH_MILLIS);
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAXIMUM_RECORDS);
        all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        all.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        all.putAll(fetches);
        try {
            return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).badSettings(e);
        }
    }
}
