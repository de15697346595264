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
 * @param bufferMemory the most that one of Kafka's producers buffers; 0B means an eighth of the heap, from 32MB to 64MB
 * @param pendingLimit how many bytes of messages may be on their way to Kafka before publishes above QoS 0 are refused with reason code
 *     0x97, and how many bytes of changes of sessions and subscriptions; 0B means a thirty-second of the heap, from 4MB to 256MB
 * @param properties further settings of Kafka's client, for TLS and SASL
 */
public record KafkaConnection(
        @DefaultValue("localhost:9092") String bootstrapServers,
        @DefaultValue("15s") Duration connectTimeout,
        @DefaultValue("3") int replicationFactor,
        @DefaultValue("0B") DataSize bufferMemory,
        @DefaultValue("0B") DataSize pendingLimit,
        @DefaultValue Map<String, String> properties) {
    /** Without the properties, which may hold a password. */
    @Override
    public String toString() {
        return "KafkaConnection[bootstrapServers=" + bootstrapServers + ", connectTimeout=" + connectTimeout
                + ", replicationFactor=" + replicationFactor + ", bufferMemory=" + bufferMemory + ", pendingLimit="
                + pendingLimit + "]";
    }

    /** What the producers take. */
    public ProducerSettings toProducerSettings(NodeSettings node) {
        return new ProducerSettings(
                node.id(),
                HeapShare.PRODUCER_BUFFER.bytes(bufferMemory),
                HeapShare.PENDING_APPENDS.bytes(pendingLimit));
    }

    /** What the Kafka adapter takes. */
    public KafkaSettings toKafkaSettings(BucketSettings buckets) {
        return new KafkaSettings(
                bootstrapServers, connectTimeout, replicationFactor, buckets.count(), buckets.logBytes(), properties);
    }
}
