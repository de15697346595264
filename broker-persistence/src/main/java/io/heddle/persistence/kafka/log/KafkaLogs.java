package io.heddle.persistence.kafka.log;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.StartDeadline;
import io.heddle.persistence.kafka.append.KafkaProducers;
import io.heddle.persistence.kafka.application.KafkaApplicationLogs;
import io.heddle.persistence.kafka.read.KafkaBucketLog;
import io.heddle.persistence.kafka.read.TopicFollowers;
import io.heddle.persistence.record.ProgressFormat;
import io.heddle.persistence.record.RetainedFormat;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * The logs of a node. Opened at start, when the topics exist, on a thread that may block; closed when the node stops. Thread-safe in
 * between. Owns the producers; readers have threads of their own.
 */
public final class KafkaLogs implements AutoCloseable {
    private final int bucketCount;
    private final UUID bucketsTopicId;
    private final KafkaProducers producers;
    private final KafkaApplicationLogs applications;
    private final MessageLog messages;
    private final KafkaBucketLog buckets;
    private final TopicFollowers followers;

    private KafkaLogs(
            KafkaCluster cluster,
            UUID bucketsTopicId,
            KafkaProducers producers,
            KafkaApplicationLogs applications,
            BucketPositions positions,
            MeterRegistry registry) {
        this.bucketCount = cluster.settings().bucketCount();
        this.bucketsTopicId = bucketsTopicId;
        this.producers = producers;
        this.applications = applications;
        this.messages = producers.messageLog(applications, positions);
        this.buckets = new KafkaBucketLog(cluster, registry);
        this.followers = new TopicFollowers(cluster, registry);
    }

    /**
     * @param cluster must stay open until the logs are closed
     * @param life of this node, which has joined the cluster
     * @param limits of the logs of APPLICATION clients
     * @param positions receives which bucket commands of this node are in the log
     * @throws StartupException when Kafka does not accept writes of this node and makes no progress within the connect timeout
     */
    public static KafkaLogs open(
            KafkaCluster cluster,
            ProducerSettings settings,
            NodeLife life,
            ApplicationLogSettings limits,
            BucketPositions positions,
            MeterRegistry registry) {
        KafkaFaults faults = new KafkaFaults(cluster.settings());
        StartDeadline deadline = StartDeadline.after(cluster.settings().connectTimeout(), System::nanoTime);
        UUID topicId = topicId(cluster, faults, deadline);
        deadline.onProgress(KafkaTopics.BUCKETS);
        KafkaProducers producers = KafkaProducers.open(cluster.settings(), settings, life, deadline, faults, registry);
        boolean opened = false;
        try {
            KafkaApplicationLogs applications =
                    KafkaApplicationLogs.open(cluster, limits, life, producers.applications(), registry);
            opened = true;
            return new KafkaLogs(cluster, topicId, producers, applications, positions, registry);
        } finally {
            if (!opened) {
                producers.close();
            }
        }
    }

    private static UUID topicId(KafkaCluster cluster, KafkaFaults faults, StartDeadline deadline) {
        try {
            TopicDescription found = cluster.admin()
                    .describeTopics(List.of(KafkaTopics.BUCKETS))
                    .allTopicNames()
                    .get(deadline.remainingNanos(), TimeUnit.NANOSECONDS)
                    .get(KafkaTopics.BUCKETS);
            if (found == null) {
                throw new IllegalStateException("Kafka did not describe " + KafkaTopics.BUCKETS);
            }
            return new UUID(
                    found.topicId().getMostSignificantBits(), found.topicId().getLeastSignificantBits());
        } catch (ExecutionException e) {
            throw faults.connecting(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw faults.connecting(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("Heddle's start was interrupted while it waited for Kafka", e);
        }
    }

    /** Returns Kafka's id of the bucket topic. A new id means that the topic was deleted and recreated, which invalidates all offsets. */
    public UUID bucketsTopicId() {
        return bucketsTopicId;
    }

    /** Returns the number of records of each followed topic that this node has not read yet, by its name. */
    public Map<String, Long> followedLag() {
        return followers.lag();
    }

    public MessageLog messages() {
        return messages;
    }

    public BucketLog buckets() {
        return buckets;
    }

    /** Returns the logs of APPLICATION clients; {@link #messages} appends to them. */
    public ApplicationLogs applications() {
        return applications;
    }

    /** Returns the acknowledgements of APPLICATION clients. */
    public ChangeLog<ProgressKey, Progress> progress() {
        return new KafkaChangeLog<>(
                KafkaTopics.PROGRESS, new ProgressFormat(), producers.permanent()::append, followers);
    }

    /** Returns the persistent sessions and their subscriptions. */
    public ClientLog clients() {
        return new KafkaClientLog(bucketCount, producers, followers);
    }

    /** Returns the retained messages; {@link #messages} commits to the same topic, in the order of the calls of both. */
    public ChangeLog<TopicName, PublishMessage> retained() {
        return new KafkaChangeLog<>(KafkaTopics.RETAINED, new RetainedFormat(), producers::commitRetained, followers);
    }

    /** Refuses further appends, because this node is over; its life refuses further commits. Does not block; any thread. */
    public void refuseAppends() {
        producers.refuse();
    }

    /** Stops reading and following, waits some seconds for the answers of pending appends, and fails the others. Blocks. */
    @Override
    public void close() {
        buckets.stopReading();
        followers.close();
        applications.close();
        producers.close();
    }
}
