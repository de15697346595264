package io.heddle.persistence.kafka;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.persistence.record.ChangeFormat;
import io.heddle.persistence.record.ProgressFormat;
import io.heddle.persistence.record.RetainedFormat;
import io.heddle.persistence.record.RouteFormat;
import io.heddle.persistence.record.SessionFormat;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * All logs of a node, opened at start when the topics are there, on a thread that may block, and closed when it stops. Thread-safe
 * in between. Owns the producers; what is read has threads of its own.
 */
public final class KafkaLogs implements AutoCloseable {
    private static final int BULK_BATCH_BYTES = 256 << 10;
    private static final int LOGS_BATCH_BYTES = 16 << 10;

    private final UUID bucketsTopicId;
    private final LogProducer bulk;
    private final LogProducer logs;
    private final Transactions transactions;
    private final KafkaApplicationLogs applications;
    private final MessageLog messages;
    private final KafkaBucketLog buckets;
    private final TopicReplay replay;

    private KafkaLogs(
            KafkaCluster cluster,
            UUID bucketsTopicId,
            LogProducer bulk,
            LogProducer logs,
            Transactions transactions,
            KafkaApplicationLogs applications,
            BucketPositions positions,
            MeterRegistry registry) {
        KafkaSettings settings = cluster.settings();
        LogOffsets offsets = new LogOffsets(cluster.admin());
        this.bucketsTopicId = bucketsTopicId;
        this.bulk = bulk;
        this.logs = logs;
        this.transactions = transactions;
        this.applications = applications;
        this.messages = new KafkaMessageLog(bulk, transactions, applications, positions, settings.bucketCount());
        this.buckets = new KafkaBucketLog(settings, offsets, new LogSizes(cluster.admin()), registry);
        this.replay = new TopicReplay(settings, offsets);
    }

    /**
     * Opens them. What an earlier process of this node left half written is aborted.
     *
     * @param cluster open, and open until this is closed
     * @param limits of the logs of APPLICATION clients
     * @param positions are told which bucket commands of this node are in the log
     * @throws StartupException when Kafka does not let this node write within the connect timeout
     */
    public static KafkaLogs open(
            KafkaCluster cluster,
            ProducerSettings producers,
            ApplicationLogSettings limits,
            BucketPositions positions,
            MeterRegistry registry) {
        KafkaSettings settings = cluster.settings();
        KafkaFaults faults = new KafkaFaults(settings);
        Deadline deadline = Deadline.in(settings.connectTimeout());
        PendingAppends pending = new PendingAppends(producers.pendingLimitBytes(), registry);
        AppendMetrics metrics = new AppendMetrics(registry);
        UUID topicId = topicId(cluster, faults, deadline);
        LogProducer bulk = LogProducer.open(
                "heddle-bulk",
                settings,
                producers,
                BULK_BATCH_BYTES,
                LogProducer.OF_TOPICS_THAT_STAY,
                pending,
                metrics);
        LogProducer logs = LogProducer.open(
                "heddle-logs", settings, producers, LOGS_BATCH_BYTES, LogProducer.OF_TOPICS_THAT_GO, pending, metrics);
        Transactions transactions = new Transactions(TransactionalProducer.of(settings, producers), pending, metrics);
        KafkaApplicationLogs applications;
        boolean opened = false;
        try {
            bulk.learn(
                    List.of(
                            KafkaTopics.BUCKETS,
                            KafkaTopics.DEAD_LETTERS,
                            KafkaTopics.ROUTES,
                            KafkaTopics.SESSIONS,
                            KafkaTopics.RETAINED,
                            KafkaTopics.PROGRESS),
                    deadline,
                    faults);
            transactions.start(deadline, faults);
            applications = KafkaApplicationLogs.open(cluster, limits, logs, registry);
            opened = true;
        } finally {
            if (!opened) {
                transactions.close();
                logs.close();
                bulk.close();
            }
        }
        return new KafkaLogs(cluster, topicId, bulk, logs, transactions, applications, positions, registry);
    }

    private static UUID topicId(KafkaCluster cluster, KafkaFaults faults, Deadline deadline) {
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
            throw new StartupException("Heddle was told to stop while it waited for Kafka", e);
        }
    }

    /** Kafka's own id of the bucket log: another one means that it was deleted and made anew, and offsets mean nothing any more. */
    public UUID bucketsTopicId() {
        return bucketsTopicId;
    }

    /** Where messages and bucket commands are written. */
    public MessageLog messages() {
        return messages;
    }

    /** Where bucket commands are read. */
    public BucketLog buckets() {
        return buckets;
    }

    /** The logs of APPLICATION clients; {@link #messages} writes to them. */
    public ApplicationLogs applications() {
        return applications;
    }

    /** What APPLICATION clients have acknowledged. */
    public ChangeLog<ProgressKey, Progress> progress() {
        return changes(KafkaTopics.PROGRESS, new ProgressFormat());
    }

    /** The subscriptions of persistent sessions. */
    public ChangeLog<RouteKey, Route> routes() {
        return changes(KafkaTopics.ROUTES, new RouteFormat());
    }

    /** The persistent sessions. */
    public ChangeLog<ClientId, SessionRecord> sessions() {
        return changes(KafkaTopics.SESSIONS, new SessionFormat());
    }

    /** The retained messages; {@link #messages} writes to the same log. */
    public ChangeLog<TopicName, PublishMessage> retained() {
        return changes(KafkaTopics.RETAINED, new RetainedFormat());
    }

    private <K, V> ChangeLog<K, V> changes(String topic, ChangeFormat<K, V> format) {
        return new KafkaChangeLog<>(topic, format, bulk, replay);
    }

    /** Stops reading, lets what is under way end for some seconds, and tells all others that nobody knows. Blocks. */
    @Override
    public void close() {
        buckets.stopReading();
        applications.close();
        transactions.close();
        logs.close();
        bulk.close();
    }
}
