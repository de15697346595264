package io.heddle.app.settings;

import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.ProducerSettings;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where Kafka is and how the broker keeps its data there.
 *
 * @param bootstrapServers host:port, several separated by commas
 * @param connectTimeout how long to wait for Kafka at start, and for the answer to a health check
 * @param replicationFactor copies of each topic that is created; 1 in the profile "standalone"
 * @param bufferMemory what waits in the producers' memory to be sent
 * @param pendingLimit what may be on its way to Kafka and not acknowledged, before publications above QoS 0 are refused with reason
 *     code 0x97
 * @param properties further settings of Kafka's client, for TLS and SASL
 */
public record KafkaConnection(
        @DefaultValue("localhost:9092") String bootstrapServers,
        @DefaultValue("15s") Duration connectTimeout,
        @DefaultValue("3") int replicationFactor,
        @DefaultValue("64MB") DataSize bufferMemory,
        @DefaultValue("64MB") DataSize pendingLimit,
        @DefaultValue Map<String, String> properties) {
    /** What the producers take. */
    public ProducerSettings toProducerSettings(NodeSettings node) {
        return new ProducerSettings(node.id(), bufferMemory.toBytes(), pendingLimit.toBytes());
    }

    /** What the Kafka adapter takes. */
    public KafkaSettings toKafkaSettings(BucketSettings buckets) {
        return new KafkaSettings(bootstrapServers, connectTimeout, replicationFactor, buckets.count(), properties);
    }
}
