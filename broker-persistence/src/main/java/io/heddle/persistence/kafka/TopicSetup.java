package io.heddle.persistence.kafka;

import io.heddle.persistence.kafka.KafkaTopics.Topic;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing topics and verifies existing ones. Runs on the main thread, at start only. A Kafka that has just started rejects
 * requests that it accepts moments later, and other nodes may create the same topics at the same time; both are retried until the
 * deadline.
 */
final class TopicSetup {
    private static final Logger log = LoggerFactory.getLogger(TopicSetup.class);
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    /** A topic is usually described a few milliseconds after its creation. */
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private static final Set<AclOperation> NEEDED = Set.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE);

    private final Admin admin;
    private final KafkaSettings settings;
    private final KafkaTopics topics;
    private final @Nullable EventTopicSettings events;
    private final KafkaFaults faults;
    private final int brokers;

    /**
     * @param events null if there is no topic of events
     * @param brokers the number of Kafka's brokers
     */
    TopicSetup(Admin admin, KafkaSettings settings, @Nullable EventTopicSettings events, int brokers) {
        this.admin = admin;
        this.settings = settings;
        this.topics = new KafkaTopics(settings);
        this.events = events;
        this.faults = new KafkaFaults(settings);
        this.brokers = brokers;
    }

    void run(StartDeadline deadline) throws InterruptedException {
        for (Topic topic : topics.all()) {
            ensure(topic, deadline);
        }
        if (events != null) {
            ensure(KafkaTopics.events(events), deadline);
        }
    }

    private void ensure(Topic topic, StartDeadline deadline) throws InterruptedException {
        Throwable last = new TimeoutException("Kafka did not answer");
        long pauseNanos = FIRST_PAUSE_NANOS;
        do {
            try {
                TopicDescription found = describe(topic, deadline);
                if (found != null) {
                    verify(topic, found, deadline);
                    deadline.onProgress(topic.name());
                    return;
                }
                create(topic, deadline);
                deadline.onProgress("the creation of " + topic.name());
                last = new UnknownTopicOrPartitionException(topic.name() + " does not exist yet");
            } catch (ExecutionException e) {
                Throwable fault = e.getCause() == null ? e : e.getCause();
                if (!(fault instanceof RetriableException) && !(fault instanceof InvalidReplicationFactorException)) {
                    throw faults.creating(topic, brokers, fault);
                }
                last = fault;
            } catch (TimeoutException e) {
                // The deadline ended this request. An earlier answer, if there was one, explains the failure better.
                break;
            }
            LockSupport.parkNanos(pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS);
        } while (!deadline.isOver());
        throw faults.creating(topic, brokers, last);
    }

    /** Returns the stored topic, or null when it does not exist. */
    private @Nullable TopicDescription describe(Topic topic, StartDeadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return await(
                    admin.describeTopics(
                                    List.of(topic.name()),
                                    new DescribeTopicsOptions().includeAuthorizedOperations(true))
                            .topicNameValues()
                            .get(topic.name()),
                    deadline);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return null;
            }
            throw e;
        }
    }

    private void create(Topic topic, StartDeadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            await(admin.createTopics(List.of(topics.newTopic(topic))).all(), deadline);
            log.info(
                    "Created Kafka topic {} at {} with {} partitions and replication factor {}",
                    topic.name(),
                    settings.bootstrapServers(),
                    topic.partitions(),
                    settings.replicationFactor());
        } catch (ExecutionException e) {
            // Another node created it first: the next describe request finds it.
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private void verify(Topic topic, TopicDescription found, StartDeadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        verifyRights(topic, found.authorizedOperations());
        if (found.partitions().size() != topic.partitions()) {
            throw faults.partitions(topic, found.partitions().size());
        }
        int replicas = found.partitions().getFirst().replicas().size();
        if (replicas != settings.replicationFactor()) {
            log.warn(
                    "Kafka topic {} at {} has {} replicas, but heddle.kafka.replication-factor is {}, which only applies to new"
                            + " topics: reassign the partitions with kafka-reassign-partitions.sh",
                    topic.name(),
                    settings.bootstrapServers(),
                    replicas,
                    settings.replicationFactor());
        }
        verifyConfiguration(topic, deadline);
    }

    /** Without one, the node would not read its own records, or never delete any, and would say so only later or not at all. */
    private void verifyRights(Topic topic, @Nullable Set<AclOperation> granted) {
        // Null: this Kafka does not tell.
        if (granted != null && !granted.containsAll(NEEDED)) {
            Set<AclOperation> missing = EnumSet.copyOf(NEEDED);
            missing.removeAll(granted);
            throw faults.rights(topic, missing);
        }
    }

    private void verifyConfiguration(Topic topic, StartDeadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        Config stored = await(admin.describeConfigs(List.of(resource)).values().get(resource), deadline);
        for (Map.Entry<String, String> required : topic.required().entrySet()) {
            ConfigEntry entry = stored.get(required.getKey());
            String value = entry == null ? "unknown" : String.valueOf(entry.value());
            if (!value.equals(required.getValue())) {
                throw faults.configuration(topic, required.getKey(), required.getValue(), value);
            }
        }
    }

    private static <T> T await(@Nullable KafkaFuture<T> future, StartDeadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (future == null) {
            throw new IllegalStateException("Kafka's client returned no result for the topic");
        }
        return future.get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
    }
}
