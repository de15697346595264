package io.heddle.persistence.kafka;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;

import io.heddle.core.client.ClientId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** The names, partitions and configurations of all topics. A new topic is one line in {@link #all}. */
public final class KafkaTopics {
    /** The command log of all buckets. A partition is a bucket, so the number of partitions is the cluster's bucket count. */
    public static final String BUCKETS = "heddle.buckets";

    /** The persistent sessions and their subscriptions. A partition contains the clients of one bucket. */
    public static final String CLIENTS = "heddle.clients";

    /** The retained message of each topic. */
    public static final String RETAINED = "heddle.retained";

    /** The acknowledgements of each APPLICATION client in its log. */
    public static final String PROGRESS = "heddle.progress";

    /** The commands of {@link #BUCKETS} that Redis permanently rejected, for inspection by an operator. */
    public static final String DEAD_LETTERS = "heddle.dead";

    public static final int DEAD_LETTERS_PARTITION = 0;

    /** The log of the nodes that join, leave and die. */
    public static final String NODES = "heddle.nodes";

    public static final int NODES_PARTITION = 0;

    /** The events of clients, for other programs. It exists only if they are published. */
    public static final String EVENTS = "heddle.events";

    private static final String BUCKET_COUNT = "heddle.buckets.count";

    public static final String APPLICATION_PREFIX = "heddle.app.";

    /**
     * Partitions of the events, and of each compacted topic that is not divided by buckets: few, because every node reads all, yet enough to spread the load over
     * Kafka's brokers.
     */
    public static final int COMPACTED_PARTITIONS = 4;

    /** The size limit of a record: the largest MQTT packet with many recipients. */
    public static final int LARGEST_RECORD_BYTES = 16 << 20;

    // Segments of the log of an APPLICATION client, and of the events.
    private static final int SEGMENTS_OF_FULL_LOG = 8;
    private static final long SMALLEST_SEGMENT_BYTES = 1 << 20;
    private static final long LARGEST_SEGMENT_BYTES = 64 << 20;

    // Kafka deletes nothing by age or size: Heddle deletes the applied records.
    private static final Map<String, String> KEPT_UNTIL_APPLIED = Map.of(
            CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, RETENTION_MS_CONFIG, "-1", RETENTION_BYTES_CONFIG, "-1");

    // Segments of the log of a bucket. The smallest holds the largest record.
    private static final int SEGMENTS_OF_FULL_BUCKET = 8;
    private static final long LARGEST_BUCKET_SEGMENT_BYTES = 128 << 20;

    // Only operators read dead letters, and need some days.
    private static final Map<String, String> KEPT_FOR_OPERATORS = Map.of(
            CLEANUP_POLICY_CONFIG,
            CLEANUP_POLICY_DELETE,
            RETENTION_MS_CONFIG,
            Long.toString(Duration.ofDays(30).toMillis()),
            RETENTION_BYTES_CONFIG,
            "1073741824",
            MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(LARGEST_RECORD_BYTES));

    // The time is that of Kafka's broker, because a node with a wrong clock would keep segments for ever.
    private static final Map<String, String> IN_TIME_OF_KAFKA =
            Map.of(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");

    // A living node repeats all its facts in each heartbeat. A node that starts reads the whole topic, and Kafka
    // deletes only
    // closed segments.
    private static final Map<String, String> KEPT_FOR_AN_HOUR = Map.of(
            RETENTION_MS_CONFIG,
            Long.toString(Duration.ofHours(1).toMillis()),
            SEGMENT_MS_CONFIG,
            Long.toString(Duration.ofMinutes(10).toMillis()));

    // The last record of each key is the current value.
    private static final Map<String, String> COMPACTED = Map.of(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT);

    // A node that starts reads the whole topic, so obsolete records should be compacted early. Compaction skips the
    // active segment.
    private static final Map<String, String> COMPACTED_EARLY = Map.of(
            SEGMENT_BYTES_CONFIG,
            "33554432",
            MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            "0.3",
            MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(LARGEST_RECORD_BYTES));

    // A conditional record that takes no effect may be the last one of its key: the value is repeated before the other
    // is compacted.
    private static final Map<String, String> COMPACTED_AFTER_REPEATS = with(
            COMPACTED_EARLY,
            MIN_COMPACTION_LAG_MS_CONFIG,
            Long.toString(Duration.ofMinutes(10).toMillis()));

    private final KafkaSettings settings;

    public KafkaTopics(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Returns the topics that must exist before the broker serves. */
    List<Topic> all() {
        return List.of(
                new Topic(BUCKETS, settings.bucketCount(), BUCKET_COUNT, KEPT_UNTIL_APPLIED, bucketSegments()),
                new Topic(DEAD_LETTERS, 1, null, Map.of(), KEPT_FOR_OPERATORS),
                new Topic(CLIENTS, settings.bucketCount(), BUCKET_COUNT, COMPACTED, COMPACTED_EARLY),
                new Topic(NODES, 1, null, IN_TIME_OF_KAFKA, KEPT_FOR_AN_HOUR),
                new Topic(RETAINED, COMPACTED_PARTITIONS, null, COMPACTED, COMPACTED_AFTER_REPEATS),
                new Topic(PROGRESS, COMPACTED_PARTITIONS, null, COMPACTED, COMPACTED_EARLY));
    }

    static Topic events(EventTopicSettings limits) {
        return new Topic(
                EVENTS,
                COMPACTED_PARTITIONS,
                null,
                Map.of(),
                Map.of(
                        CLEANUP_POLICY_CONFIG,
                        CLEANUP_POLICY_DELETE,
                        RETENTION_MS_CONFIG,
                        Long.toString(limits.retention().toMillis()),
                        RETENTION_BYTES_CONFIG,
                        Long.toString(limits.maximumBytes()),
                        SEGMENT_BYTES_CONFIG,
                        Long.toString(segmentBytes(limits.maximumBytes()))));
    }

    /** Returns the names of the topics that all clients share. */
    public static List<String> shared() {
        return List.of(BUCKETS, DEAD_LETTERS, CLIENTS, NODES, RETAINED, PROGRESS);
    }

    /**
     * Returns the partitions whose readers stop at an open transaction.
     *
     * @param existing the names of all topics
     */
    public List<TopicPartition> readCommitted(Collection<String> existing) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic each : all()) {
            if (List.of(BUCKETS, CLIENTS, RETAINED, PROGRESS).contains(each.name())) {
                for (int i = 0; i < each.partitions(); i++) {
                    partitions.add(new TopicPartition(each.name(), i));
                }
            }
        }
        existing.stream()
                .filter(KafkaTopics::isApplicationTopic)
                .forEach(name -> partitions.add(new TopicPartition(name, 0)));
        return partitions;
    }

    /** Kafka frees only whole segments. A full log has several, so that truncating it frees space. */
    private Map<String, String> bucketSegments() {
        long bytes = Math.clamp(
                settings.bucketLogBytes() / settings.bucketCount() / SEGMENTS_OF_FULL_BUCKET,
                LARGEST_RECORD_BYTES,
                LARGEST_BUCKET_SEGMENT_BYTES);
        return Map.of(
                SEGMENT_BYTES_CONFIG,
                Long.toString(bytes),
                MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(LARGEST_RECORD_BYTES));
    }

    /** Returns the configuration of an APPLICATION client's topic. Kafka deletes nothing by age: Heddle deletes acknowledged records. */
    public NewTopic application(String name, ApplicationLogSettings limits) {
        return newTopic(new Topic(
                name,
                1,
                null,
                Map.of(
                        CLEANUP_POLICY_CONFIG,
                        CLEANUP_POLICY_DELETE,
                        RETENTION_MS_CONFIG,
                        "-1",
                        RETENTION_BYTES_CONFIG,
                        Long.toString(limits.maximumBytes())),
                Map.of(
                        SEGMENT_BYTES_CONFIG,
                        Long.toString(segmentBytes(limits.maximumBytes())),
                        MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(LARGEST_RECORD_BYTES))));
    }

    /** Kafka deletes only whole segments, so a full log has several. */
    private static long segmentBytes(long maximumBytes) {
        return Math.clamp(maximumBytes / SEGMENTS_OF_FULL_LOG, SMALLEST_SEGMENT_BYTES, LARGEST_SEGMENT_BYTES);
    }

    private static Map<String, String> with(Map<String, String> configuration, String name, String value) {
        Map<String, String> all = new HashMap<>(configuration);
        all.put(name, value);
        return Map.copyOf(all);
    }

    NewTopic newTopic(Topic topic) {
        Map<String, String> configuration = new HashMap<>(topic.preferred());
        configuration.putAll(topic.required());
        configuration.put(MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(settings.minInSyncReplicas()));
        configuration.put(UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        configuration.put(COMPRESSION_TYPE_CONFIG, "producer");
        return new NewTopic(topic.name(), topic.partitions(), (short) settings.replicationFactor())
                .configs(configuration);
    }

    /** Returns the name of an APPLICATION client's topic. */
    public static String application(ClientId clientId) {
        return ApplicationTopicName.of(clientId);
    }

    /** Returns the APPLICATION client of a topic, or null if the name does not contain its whole id. */
    public static @Nullable ClientId applicationClient(String name) {
        return ApplicationTopicName.clientId(name);
    }

    public static boolean isApplicationTopic(String name) {
        return name.startsWith(APPLICATION_PREFIX);
    }

    /** Returns the partition of a key, the same as Kafka's own partitioner. */
    public static int partition(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /** Describes a record's topic, partition and offset for error messages. */
    public static String place(ConsumerRecord<?, ?> record) {
        return "The record at " + record.topic() + ", partition " + record.partition() + ", offset " + record.offset();
    }

    /**
     * @param partitionsSetting the setting that determines the number of partitions, or null when it is fixed
     * @param required configuration without which messages would be lost; another value is rejected at start
     * @param preferred configuration that the topic is created with and that Kafka's administrator may change
     */
    record Topic(
            String name,
            int partitions,
            @Nullable String partitionsSetting,
            Map<String, String> required,
            Map<String, String> preferred) {}
}
