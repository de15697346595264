package io.heddle.persistence.kafka.backup;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.backup.BackupEntry;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.append.LogProducer;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.persistence.record.UnreadableRecordException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes the records of a backup to those compacted topics that have none. One thread.
 *
 * <p>All records of a topic are one transaction, so that a restore that was interrupted leaves the topic without records.
 */
public final class TopicsRestore {
    private static final String TRANSACTIONAL_ID = "heddle-restore";
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final Admin admin;
    private final KafkaSettings settings;

    /** @param admin connected to the Kafka of these settings, whose topics exist */
    public TopicsRestore(Admin admin, KafkaSettings settings) {
        this.admin = admin;
        this.settings = settings;
    }

    /**
     * Throws StartupException if nodes of this build could not read a record of the backup, because a later build has made it.
     *
     * @param entries passes all entries of the backup to a sink
     */
    public static void requireReadable(java.util.function.Consumer<BackupEntry.Sink> entries) {
        entries.accept(BackedUpRecords::requireReadable);
    }

    /**
     * Throws StartupException if a node is alive, which would follow the restored records.
     *
     * @param lease the time after which a silent node is dead
     */
    public void requireNoLivingNode(Duration lease, InstantSource clock) {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            Set<String> living = new LivingNodes(lease, clock).read(consumer);
            if (!living.isEmpty()) {
                throw new StartupException(
                        "these nodes are alive, or were until a moment ago: " + String.join(", ", living)
                                + ": stop all nodes, and wait for " + lease.toSeconds() + " s after a node was killed",
                        null);
            }
        } catch (UnreadableRecordException e) {
            throw new StartupException(e.withAdvice(), e);
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).connecting(e);
        }
    }

    /**
     * Restores the topics that have no records.
     *
     * @param entries passes all entries of the backup to a sink
     * @return the number of restored records of each of these topics, which may be 0
     * @throws StartupException if Kafka does not answer, or rejects a record; the topics are without records then, or complete
     */
    public Map<String, Long> restore(java.util.function.Consumer<BackupEntry.Sink> entries) {
        try {
            List<String> empty = emptyTopics();
            Map<String, Long> restored = new LinkedHashMap<>();
            if (!empty.isEmpty()) {
                Producer<byte[], byte[]> producer = producer();
                try {
                    producer.initTransactions();
                    for (String topic : empty) {
                        restored.put(topic, restore(topic, entries, producer));
                    }
                } finally {
                    // Aborts a transaction that was not committed.
                    producer.close(ANSWER);
                }
            }
            return restored;
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).connecting(e);
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        return new LogConsumers(settings).create("heddle-restore");
    }

    private Producer<byte[], byte[]> producer() {
        Map<String, Object> all = settings.clientProperties("heddle-restore");
        LogProducer.addDurability(all);
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, TRANSACTIONAL_ID);
        all.put(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                Math.toIntExact(ProducerSettings.RESTORE_TIMEOUT.toMillis()));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWER.toMillis());
        return LogProducer.create(all, settings);
    }

    private List<String> emptyTopics() {
        List<String> empty = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            for (String topic : TopicsBackup.TOPICS) {
                if (isEmpty(topic, consumer)) {
                    empty.add(topic);
                }
            }
        }
        return empty;
    }

    /** A topic is empty if no record can be read, because a transaction that was aborted takes offsets. */
    private static boolean isEmpty(String topic, Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        AtomicBoolean found = new AtomicBoolean();
        PollLoop.until(
                () -> found.get() || TopicsBackup.isAt(consumer, ends),
                consumer,
                polled -> found.set(found.get() || !polled.isEmpty()));
        return !found.get();
    }

    private long restore(
            String topic, java.util.function.Consumer<BackupEntry.Sink> entries, Producer<byte[], byte[]> producer) {
        producer.beginTransaction();
        TopicRestoration restoration =
                new TopicRestoration(topic, producer, TopicsBackup.applicationTopics(admin, settings));
        entries.accept(restoration);
        producer.commitTransaction();
        return restoration.records();
    }
}
