package io.heddle.app.settings;

import io.heddle.persistence.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Kafka is and how the broker keeps its data there.
 *
 * @param bootstrapServers host:port, several separated by commas
 * @param connectTimeout how long to wait for Kafka at start, and for the answer to a health check
 * @param replicationFactor copies of each topic that is created; 1 in the profile "standalone"
 * @param properties further settings of Kafka's client, for TLS and SASL
 */
public record KafkaConnection(
        @DefaultValue("localhost:9092") String bootstrapServers,
        @DefaultValue("15s") Duration connectTimeout,
        @DefaultValue("3") int replicationFactor,
        @DefaultValue Map<String, String> properties) {
    /** What the Kafka adapter takes. */
    public KafkaSettings toKafkaSettings(BucketSettings buckets) {
        return new KafkaSettings(bootstrapServers, connectTimeout, replicationFactor, buckets.count(), properties);
    }
}
