package io.heddle.persistence.kafka.backup;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.backup.BackupEntry;
import io.heddle.persistence.backup.BackupEntry.ApplicationTopic;
import io.heddle.persistence.backup.BackupEntry.Change;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.persistence.record.ConditionFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Copies the compacted topics to a backup, while nodes write to them or not. One thread.
 *
 * <p>Compaction may remove a record before it is read, if a later one with the same key is in a segment that Kafka has closed. Therefore
 * each topic is read to an end that is at most {@link #SHORT_ROUND} old: within this time Kafka does not close and compact a segment.
 */
public final class TopicsBackup {
    /** The compacted topics: the sessions first, because progress that is newer than its session does no harm. */
    public static final List<String> TOPICS = List.of(KafkaTopics.CLIENTS, KafkaTopics.RETAINED, KafkaTopics.PROGRESS);

    private static final Duration SHORT_ROUND = Duration.ofSeconds(5);

    private static final Duration LONGEST_SILENCE = ProducerSettings.TRANSACTION_TIMEOUT.plusMinutes(1);

    private final Admin admin;
    private final KafkaSettings settings;
    private final LongSupplier nanoTime;
    private final Duration longestSilence;

    /** @param admin connected to the Kafka of these settings */
    public TopicsBackup(Admin admin, KafkaSettings settings, LongSupplier nanoTime) {
        this(admin, settings, nanoTime, LONGEST_SILENCE);
    }

    /** @param longestSilence for which Kafka may deliver nothing before the end of a topic: longer than a transaction lasts */
    public TopicsBackup(Admin admin, KafkaSettings settings, LongSupplier nanoTime, Duration longestSilence) {
        this.admin = admin;
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.longestSilence = longestSilence;
    }

    /**
     * Copies all records, and the ids of the topics of APPLICATION clients.
     *
     * @return the number of records
     * @throws StartupException if a topic does not exist, Kafka does not answer, or a transaction hangs
     */
    public long backUp(BackupEntry.Sink sink) {
        AtomicLong records = new AtomicLong();
        try (Consumer<byte[], byte[]> consumer = new LogConsumers(settings).create("heddle-backup")) {
            applicationTopics(admin, settings).forEach((name, id) -> sink.accept(new ApplicationTopic(name, id)));
            for (String topic : TOPICS) {
                List<TopicPartition> partitions = partitions(consumer, topic);
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                long begin;
                do {
                    begin = nanoTime.getAsLong();
                    AtomicLong progress = new AtomicLong(begin);
                    Map<TopicPartition, Long> ends = ends(partitions);
                    PollLoop.until(() -> isAt(consumer, ends) || stands(progress), consumer, polled -> {
                        for (ConsumerRecord<byte[], byte[]> record : polled) {
                            sink.accept(change(record));
                            records.incrementAndGet();
                            // Later records may come while a partition stands.
                            if (record.offset() < ends.getOrDefault(partition(record), 0L)) {
                                progress.set(nanoTime.getAsLong());
                            }
                        }
                    });
                    requireEnd(consumer, ends);
                } while (nanoTime.getAsLong() - begin > SHORT_ROUND.toNanos());
            }
        } catch (KafkaException e) {
            throw new KafkaFaults(settings).connecting(e);
        }
        return records.get();
    }

    /** Returns the ends with the records of open transactions, which readers of committed records get when the transactions have ended. */
    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        return answer(
                        admin.listOffsets(partitions.stream()
                                        .collect(Collectors.toMap(partition -> partition, _ -> OffsetSpec.latest())))
                                .all(),
                        settings)
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, end -> end.getValue().offset()));
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private boolean stands(AtomicLong progress) {
        return nanoTime.getAsLong() - progress.get() > longestSilence.toNanos();
    }

    /** A backup that ended before a hanging transaction would lack all records behind it. */
    private void requireEnd(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        ends.forEach((partition, end) -> {
            long position = consumer.position(partition);
            if (position < end) {
                throw new StartupException(
                        "Kafka has delivered " + partition + " to offset " + position + " of " + end
                                + ", and nothing for "
                                + longestSilence.toSeconds() + " s, so the backup would be incomplete:"
                                + " \"./heddle admin stores transactions\" shows whether a transaction hangs",
                        null);
            }
        });
    }

    private List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new StartupException(
                    "Kafka at " + settings.bootstrapServers() + " has no topic " + topic
                            + ": set heddle.kafka.bootstrap-servers to the Kafka of the cluster",
                    null);
        }
        return partitions;
    }

    static boolean isAt(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static Change change(ConsumerRecord<byte[], byte[]> record) {
        Header condition = record.headers().lastHeader(ConditionFormat.HEADER);
        return new Change(
                record.topic(),
                record.partition(),
                record.offset(),
                BinaryData.wrap(record.key()),
                data(record.value()),
                data(condition == null ? null : condition.value()));
    }

    private static @Nullable BinaryData data(byte @Nullable [] bytes) {
        return bytes == null ? null : BinaryData.wrap(bytes);
    }

    /** Returns the ids of the topics of APPLICATION clients by name. */
    static Map<String, UUID> applicationTopics(Admin admin, KafkaSettings settings) {
        return answer(admin.listTopics().listings(), settings).stream()
                .filter(topic -> KafkaTopics.isApplicationTopic(topic.name()))
                .collect(Collectors.toMap(TopicListing::name, TopicsBackup::id));
    }

    private static <T> T answer(KafkaFuture<T> future, KafkaSettings settings) {
        try {
            return future.get(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted while it waited for Kafka", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaFaults(settings).connecting(KafkaFaults.cause(e));
        }
    }

    private static UUID id(TopicListing topic) {
        return new UUID(
                topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
    }
}
