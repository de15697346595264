package io.heddle.persistence.kafka;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/** Every topic's name, partitions and settings. A new topic is one line in {@link #all}. */
final class KafkaTopics {
    /** The command log of all buckets: partition = bucket, so its partitions are the cluster's stored bucket count. */
    static final String BUCKETS = "heddle.buckets";

    // Nothing goes by age or size: the owner of a partition deletes what has been applied.
    private static final Map<String, String> KEPT_UNTIL_APPLIED = Map.of(
            CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, RETENTION_MS_CONFIG, "-1", RETENTION_BYTES_CONFIG, "-1");

    // Kafka frees whole segments only: small ones give the space of applied records back soon.
    private static final Map<String, String> SMALL_SEGMENTS = Map.of(SEGMENT_BYTES_CONFIG, "134217728");

    private final KafkaSettings settings;

    KafkaTopics(KafkaSettings settings) {
        this.settings = settings;
    }

    /** All topics that must be there before the broker serves. */
    List<Topic> all() {
        return List.of(
                new Topic(BUCKETS, settings.bucketCount(), "heddle.buckets.count", KEPT_UNTIL_APPLIED, SMALL_SEGMENTS));
    }

    /** How a missing topic is created. */
    NewTopic created(Topic topic) {
        Map<String, String> configuration = new HashMap<>(topic.preferred());
        configuration.putAll(topic.promised());
        configuration.put(MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(settings.minInSyncReplicas()));
        configuration.put(UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        configuration.put(COMPRESSION_TYPE_CONFIG, "producer");
        return new NewTopic(topic.name(), topic.partitions(), (short) settings.replicationFactor())
                .configs(configuration);
    }

    /**
     * A topic.
     *
     * @param partitionsSetting the setting that its partition count comes from
     * @param promised settings without which messages get lost: another value is refused at start
     * @param preferred settings that it is created with; who administers Kafka may change them
     */
    record Topic(
            String name,
            int partitions,
            String partitionsSetting,
            Map<String, String> promised,
            Map<String, String> preferred) {}
}
