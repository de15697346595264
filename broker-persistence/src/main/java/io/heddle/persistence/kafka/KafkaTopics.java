package io.heddle.persistence.kafka;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;

import io.heddle.core.client.ClientId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Every topic's name, partitions and settings. A new topic is one line in {@link #all}. */
public final class KafkaTopics {
    /** The command log of all buckets: partition = bucket, so its partitions are the cluster's stored bucket count. */
    public static final String BUCKETS = "heddle.buckets";

    /** The subscriptions of persistent sessions. */
    public static final String ROUTES = "heddle.routes";

    /** The persistent sessions. */
    public static final String SESSIONS = "heddle.sessions";

    /** The retained message of each topic. */
    public static final String RETAINED = "heddle.retained";

    /** How far each APPLICATION client is in its log. */
    public static final String PROGRESS = "heddle.progress";

    /** The commands of {@link #BUCKETS} that Redis has rejected for good, for a person to look at. */
    public static final String DEAD_LETTERS = "heddle.dead";

    public static final int DEAD_LETTERS_PARTITION = 0;

    /** The first part of the names of the topics of APPLICATION clients. */
    public static final String APPLICATION_PREFIX = "heddle.app.";

    /** Of each compacted topic: few, because every node reads all of them, yet enough to spread the load over Kafka's brokers. */
    public static final int COMPACTED_PARTITIONS = 4;

    /** The largest record: a message of the largest packet with many recipients. */
    public static final int LARGEST_RECORD_BYTES = 16 << 20;

    // Of the log of an APPLICATION client.
    private static final int SEGMENTS_OF_FULL_LOG = 8;
    private static final long SMALLEST_SEGMENT_BYTES = 1 << 20;
    private static final long LARGEST_SEGMENT_BYTES = 64 << 20;

    // Nothing goes by age or size: the owner of a partition deletes what has been applied.
    private static final Map<String, String> KEPT_UNTIL_APPLIED = Map.of(
            CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE, RETENTION_MS_CONFIG, "-1", RETENTION_BYTES_CONFIG, "-1");

    // Of the log of a bucket. The smallest takes the largest record.
    private static final int SEGMENTS_OF_FULL_BUCKET = 8;
    private static final long LARGEST_BUCKET_SEGMENT_BYTES = 128 << 20;

    // Nobody reads them but people, who need some days.
    private static final Map<String, String> FOR_PEOPLE = Map.of(
            CLEANUP_POLICY_CONFIG,
            CLEANUP_POLICY_DELETE,
            RETENTION_MS_CONFIG,
            Long.toString(Duration.ofDays(30).toMillis()),
            RETENTION_BYTES_CONFIG,
            "1073741824",
            MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(LARGEST_RECORD_BYTES));

    // The last record of each key is the truth.
    private static final Map<String, String> LAST_OF_EACH_KEY = Map.of(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT);

    // A node that starts reads all of it: what is out of date goes soon. Compaction leaves the last segment alone.
    private static final Map<String, String> SOON_COMPACTED = Map.of(
            SEGMENT_BYTES_CONFIG,
            "33554432",
            MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            "0.3",
            MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(LARGEST_RECORD_BYTES));

    private final KafkaSettings settings;

    public KafkaTopics(KafkaSettings settings) {
        this.settings = settings;
    }

    /** All topics that must be there before the broker serves. */
    List<Topic> all() {
        return List.of(
                new Topic(
                        BUCKETS, settings.bucketCount(), "heddle.buckets.count", KEPT_UNTIL_APPLIED, bucketSegments()),
                new Topic(DEAD_LETTERS, 1, null, Map.of(), FOR_PEOPLE),
                compacted(ROUTES),
                compacted(SESSIONS),
                compacted(RETAINED),
                compacted(PROGRESS));
    }

    /** Kafka frees whole segments only: several of them make a full log, so that trimming one gives space back. */
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

    /** How the topic of an APPLICATION client is created. Nothing goes by age: what is acknowledged is deleted. */
    public NewTopic application(String name, ApplicationLogSettings limits) {
        return created(new Topic(
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
                        Long.toString(segmentBytes(limits)),
                        MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(LARGEST_RECORD_BYTES))));
    }

    /** Kafka deletes whole segments: several of them make a full log. */
    private static long segmentBytes(ApplicationLogSettings limits) {
        return Math.clamp(limits.maximumBytes() / SEGMENTS_OF_FULL_LOG, SMALLEST_SEGMENT_BYTES, LARGEST_SEGMENT_BYTES);
    }

    private static Topic compacted(String name) {
        return new Topic(name, COMPACTED_PARTITIONS, null, LAST_OF_EACH_KEY, SOON_COMPACTED);
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

    /** The name of an APPLICATION client's topic. */
    public static String application(ClientId clientId) {
        return ApplicationTopicName.of(clientId);
    }

    /** Whether a topic is one of an APPLICATION client. */
    public static boolean isApplicationTopic(String name) {
        return name.startsWith(APPLICATION_PREFIX);
    }

    /** The partition of a key, the one that Kafka's own partitioner takes. */
    public static int partition(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /** Where a record lies, for a sentence. */
    public static String place(ConsumerRecord<?, ?> record) {
        return "The record at " + record.topic() + ", partition " + record.partition() + ", offset " + record.offset();
    }

    /**
     * A topic.
     *
     * @param partitionsSetting the setting that its partition count comes from, or null when it is always the same
     * @param promised settings without which messages get lost: another value is refused at start
     * @param preferred settings that it is created with; who administers Kafka may change them
     */
    record Topic(
            String name,
            int partitions,
            @Nullable String partitionsSetting,
            Map<String, String> promised,
            Map<String, String> preferred) {}
}
