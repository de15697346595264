package io.heddle.app.settings;

import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.ProducerSettings;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Connection to Kafka and the topics of the broker.
 *
 * @param bootstrapServers host:port, several separated by commas
 * @param connectTimeout maximum time to wait for Kafka: at start without progress, and in a health check
 * @param replicationFactor number of copies of each topic that the broker creates; 1 in the profile "standalone"
 * @param bufferMemory buffer of each Kafka producer; 0B means an eighth of the heap, from 32MB to 64MB
 * @param pendingLimit maximum size of the messages that Kafka has not acknowledged; above it PUBLISH packets with QoS 1 or 2 are refused with
 *     reason code 0x97, and those with QoS 0 are not retained. A publisher is not read while its messages have more than a quarter of what is
 *     free of one half, or more than 4MB. The same limit applies to changes of sessions and subscriptions; 0B means a thirty-second of the heap, from 4MB
 *     to 256MB
 * @param properties further settings of the Kafka clients, for TLS and SASL
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

    public ProducerSettings toProducerSettings(NodeSettings node) {
        return new ProducerSettings(
                node.id(),
                HeapShare.PRODUCER_BUFFER.bytes(bufferMemory),
                HeapShare.PENDING_APPENDS.bytes(pendingLimit));
    }

    public KafkaSettings toKafkaSettings(BucketSettings buckets) {
        return new KafkaSettings(
                bootstrapServers, connectTimeout, replicationFactor, buckets.count(), buckets.logBytes(), properties);
    }
}
