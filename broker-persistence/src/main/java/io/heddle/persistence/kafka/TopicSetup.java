package io.heddle.persistence.kafka;

import io.heddle.persistence.kafka.KafkaTopics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the topics that are missing and verifies those that exist. Main thread, at start only. A Kafka that has just started
 * refuses for some moments what it will soon accept, and other nodes may create the same topics at the same time: both are tried
 * again until the deadline.
 */
final class TopicSetup {
    private static final Logger log = LoggerFactory.getLogger(TopicSetup.class);
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final Admin admin;
    private final KafkaSettings settings;
    private final KafkaTopics topics;
    private final KafkaFaults faults;
    private final int brokers;

    /**
     * A setup.
     *
     * @param brokers how many brokers Kafka has
     */
    TopicSetup(Admin admin, KafkaSettings settings, int brokers) {
        this.admin = admin;
        this.settings = settings;
        this.topics = new KafkaTopics(settings);
        this.faults = new KafkaFaults(settings);
        this.brokers = brokers;
    }

    void run(Deadline deadline) throws InterruptedException {
        for (Topic topic : topics.all()) {
            ensure(topic, deadline);
        }
    }

    private void ensure(Topic topic, Deadline deadline) throws InterruptedException {
        Throwable last;
        do {
            try {
                TopicDescription found = describe(topic, deadline);
                if (found != null) {
                    verify(topic, found, deadline);
                    return;
                }
                create(topic, deadline);
                last = new UnknownTopicOrPartitionException(topic.name() + " is not there yet");
            } catch (ExecutionException e) {
                Throwable fault = e.getCause() == null ? e : e.getCause();
                if (!(fault instanceof RetriableException) && !(fault instanceof InvalidReplicationFactorException)) {
                    throw faults.creating(topic, brokers, fault);
                }
                last = fault;
            } catch (TimeoutException e) {
                last = e;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        } while (!deadline.isOver());
        throw faults.creating(topic, brokers, last);
    }

    /** The topic as it is, or null when it is not there. */
    private @Nullable TopicDescription describe(Topic topic, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return await(
                    admin.describeTopics(List.of(topic.name()))
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

    private void create(Topic topic, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            await(admin.createTopics(List.of(topics.created(topic))).all(), deadline);
            log.info(
                    "Kafka at {}: created topic {} with {} partitions, replication factor {}",
                    settings.bootstrapServers(),
                    topic.name(),
                    topic.partitions(),
                    settings.replicationFactor());
        } catch (ExecutionException e) {
            // Another node was faster: the next look finds what it made.
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private void verify(Topic topic, TopicDescription found, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (found.partitions().size() != topic.partitions()) {
            throw faults.partitions(topic, found.partitions().size());
        }
        int replicas = found.partitions().getFirst().replicas().size();
        if (replicas != settings.replicationFactor()) {
            log.warn(
                    "Kafka at {} keeps {} replicas of {}, but heddle.kafka.replication-factor is {}: it is only used when a"
                            + " topic is created; reassign the partitions with kafka-reassign-partitions.sh",
                    settings.bootstrapServers(),
                    replicas,
                    topic.name(),
                    settings.replicationFactor());
        }
        verifyPromises(topic, deadline);
    }

    private void verifyPromises(Topic topic, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        Config stored = await(admin.describeConfigs(List.of(resource)).values().get(resource), deadline);
        for (Map.Entry<String, String> promise : topic.promised().entrySet()) {
            ConfigEntry entry = stored.get(promise.getKey());
            String value = entry == null ? "unknown" : String.valueOf(entry.value());
            if (!value.equals(promise.getValue())) {
                throw faults.configuration(topic, promise.getKey(), promise.getValue(), value);
            }
        }
    }

    private static <T> T await(@Nullable KafkaFuture<T> future, Deadline deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (future == null) {
            throw new IllegalStateException("Kafka's client gave no answer for what it was asked");
        }
        return future.get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
    }
}
