package io.heddle.persistence.kafka;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SslConfigs;

/**
 * The address of Kafka and the layout of the broker's data there.
 *
 * @param bootstrapServers {@code heddle.kafka.bootstrap-servers}: {@code host:port}, several separated by commas
 * @param connectTimeout {@code heddle.kafka.connect-timeout}: the maximum wait for Kafka and its topics at start
 * @param replicationFactor {@code heddle.kafka.replication-factor}: replicas of each topic that Heddle creates
 * @param bucketCount {@code heddle.buckets.count}: chosen at the cluster's first start, then fixed
 * @param bucketLogBytes {@code heddle.buckets.maximum-bytes}: the limit of all buckets' logs together; also determines the segment size
 *     when the topic is created
 * @param properties {@code heddle.kafka.properties.*}: settings of Kafka's client, for TLS and SASL
 */
public record KafkaSettings(
        String bootstrapServers,
        Duration connectTimeout,
        int replicationFactor,
        int bucketCount,
        long bucketLogBytes,
        Map<String, String> properties) {
    public static final long DEFAULT_BUCKET_LOG_BYTES = 50L << 30;
    /** Two segments of the smallest size: Kafka never deletes the active segment. */
    public static final long MINIMUM_BUCKET_BYTES = 2 * KafkaTopics.LARGEST_RECORD_BYTES;

    public KafkaSettings {
        SettingRule.notBlank("heddle.kafka.bootstrap-servers", bootstrapServers, "localhost:9092");
        SettingRule.between(
                "heddle.kafka.connect-timeout", connectTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5));
        SettingRule.between("heddle.kafka.replication-factor", replicationFactor, 1, 15);
        SettingRule.between("heddle.buckets.count", bucketCount, 1, 1_024);
        SettingRule.bytesBetween(
                "heddle.buckets.maximum-bytes", bucketLogBytes, bucketCount * MINIMUM_BUCKET_BYTES, Long.MAX_VALUE / 4);
        if (properties.containsKey(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new StartupException(
                    "heddle.kafka.properties.bootstrap.servers is not a setting: use heddle.kafka.bootstrap-servers",
                    null);
        }
        properties.keySet().forEach(KafkaSettings::requireKnown);
        requireFile(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, properties);
        requireFile(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, properties);
        properties = Map.copyOf(properties);
    }

    private static void requireFile(String name, Map<String, String> properties) {
        String file = properties.get(name);
        if (file != null) {
            SettingRule.readable("heddle.kafka.properties." + name, Path.of(file));
        }
    }

    /** Rejects unknown settings, which Kafka's clients would only log. */
    private static void requireKnown(String name) {
        if (!AdminClientConfig.configNames().contains(name)
                && !ProducerConfig.configNames().contains(name)
                && !ConsumerConfig.configNames().contains(name)) {
            throw new StartupException(
                    "unknown setting heddle.kafka.properties." + name + ": none of Kafka's clients has a setting "
                            + name + "; correct or remove it",
                    null);
        }
    }

    /** Returns the replicas that must have a record before Kafka acknowledges it: the majority, so that the loss of a broker loses none. */
    int minInSyncReplicas() {
        return replicationFactor / 2 + 1;
    }

    Properties adminProperties() {
        Properties all = new Properties();
        all.putAll(properties);
        int timeoutMillis = Math.toIntExact(connectTimeout.toMillis());
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis);
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(timeoutMillis, 5_000));
        // A fence of a node with an open transaction is repeated until Kafka has aborted it.
        all.put(AdminClientConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        all.put(AdminClientConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, Math.min(timeoutMillis, 5_000));
        return all;
    }

    /** Returns the settings that all producers and consumers have in common. */
    public Map<String, Object> clientProperties(String clientId) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        return all;
    }

    /** Contains only the names of the client's settings, because their values may be passwords. */
    @Override
    public String toString() {
        return "KafkaSettings[" + bootstrapServers + ", connectTimeout=" + connectTimeout + ", replicationFactor="
                + replicationFactor + ", bucketCount=" + bucketCount + ", properties="
                + new TreeSet<>(properties.keySet()) + "]";
    }
}
