package io.heddle.persistence.kafka.read;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.record.ChangeFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads compacted topics from their beginning to the end that they have when it begins, each with a consumer of its own on the
 * calling thread, which blocks meanwhile. Stateless.
 */
public final class TopicReplay {
    private static final Logger log = LoggerFactory.getLogger(TopicReplay.class);
    private static final long TELL_NANOS = Duration.ofSeconds(1).toNanos();
    // An open transaction of a node that died holds readers up until Kafka aborts it, which it looks for every ten
    // seconds.
    private static final Duration LEAST_PATIENCE = ProducerSettings.LONGEST_TRANSACTION.multipliedBy(3);

    private final KafkaSettings settings;
    private final LogConsumers consumers;
    private final LogOffsets offsets;

    public TopicReplay(KafkaSettings settings, LogOffsets offsets) {
        this.settings = settings;
        this.consumers = new LogConsumers(settings);
        this.offsets = offsets;
    }

    /**
     * Replays.
     *
     * @throws StoreUnavailableException when Kafka does not go on for long
     * @throws StartupException when a record can't be read
     */
    public <K, V> void run(
            String topic, ChangeFormat<K, V> format, ChangeLog.Listener<K, V> changes, ChangeLog.Progress progress) {
        List<TopicPartition> partitions = LogOffsets.partitions(topic, KafkaTopics.COMPACTED_PARTITIONS);
        try (Consumer<byte[], byte[]> consumer = consumers.create("heddle-replay-" + topic)) {
            Turn<K, V> turn = new Turn<>(
                    topic,
                    format,
                    changes,
                    progress,
                    consumer,
                    partitions,
                    offsets.beginnings(partitions).toCompletableFuture().join(),
                    offsets.ends(partitions).toCompletableFuture().join());
            turn.run();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreUnavailableException silent
                    ? silent
                    : new StoreUnavailableException("Kafka could not be asked where " + topic + " ends", e);
        } catch (KafkaException e) {
            throw new StoreUnavailableException("Kafka could not be asked for " + topic, e);
        } catch (UnreadableRecordException e) {
            throw new StartupException(
                    e.getMessage() + ". Start the version of Heddle that wrote it, or restore " + topic
                            + " from a backup",
                    e);
        }
    }

    /** One replay of one topic. */
    private final class Turn<K, V> {
        private final String topic;
        private final ChangeFormat<K, V> format;
        private final ChangeLog.Listener<K, V> changes;
        private final ChangeLog.Progress progress;
        private final Consumer<byte[], byte[]> consumer;
        private final List<TopicPartition> partitions;
        private final List<Long> ends;
        private final long all;
        private final long startNanos = System.nanoTime();
        private long read;
        private long position;
        private long movedNanos = startNanos;
        private long toldNanos = startNanos;

        Turn(
                String topic,
                ChangeFormat<K, V> format,
                ChangeLog.Listener<K, V> changes,
                ChangeLog.Progress progress,
                Consumer<byte[], byte[]> consumer,
                List<TopicPartition> partitions,
                List<Long> beginnings,
                List<Long> ends) {
            this.topic = topic;
            this.format = format;
            this.changes = changes;
            this.progress = progress;
            this.consumer = consumer;
            this.partitions = partitions;
            this.ends = ends;
            consumer.assign(partitions);
            long sum = 0;
            for (int i = 0; i < partitions.size(); i++) {
                consumer.seek(partitions.get(i), beginnings.get(i));
                sum += ends.get(i) - beginnings.get(i);
            }
            this.all = sum;
            this.position = sum(beginnings);
        }

        void run() {
            PollLoop.until(this::isDone, consumer, this::handle);
            progress.read(read, Math.max(read, all));
            log.info(
                    "Read {}: {} records in {} ms",
                    topic,
                    read,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
        }

        private boolean isDone() {
            for (int i = 0; i < partitions.size(); i++) {
                if (consumer.position(partitions.get(i)) < ends.get(i)) {
                    return false;
                }
            }
            return true;
        }

        private void handle(ConsumerRecords<byte[], byte[]> records) {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                tell(record);
                read++;
            }
            long now = System.nanoTime();
            long reached = reached();
            if (reached != position) {
                position = reached;
                movedNanos = now;
            } else if (now - movedNanos > patience().toNanos()) {
                throw new StoreUnavailableException(
                        "Kafka at " + settings.bootstrapServers() + " does not go on with " + topic + ": nothing for "
                                + patience().toSeconds() + " s",
                        null);
            }
            if (now - toldNanos >= TELL_NANOS) {
                toldNanos = now;
                progress.read(read, Math.max(read, all));
                log.info("Reading {}: {} of about {} records", topic, read, Math.max(read, all));
            }
        }

        private void tell(ConsumerRecord<byte[], byte[]> record) {
            byte[] key = record.key();
            byte[] value = record.value();
            if (key == null) {
                throw new UnreadableRecordException(KafkaTopics.place(record), "it has no key");
            }
            K decodedKey = format.readKey(new RecordReader(key, () -> KafkaTopics.place(record)));
            changes.changed(
                    decodedKey,
                    value == null
                            ? null
                            : format.readValue(decodedKey, new RecordReader(value, () -> KafkaTopics.place(record))));
        }

        private long reached() {
            long sum = 0;
            for (TopicPartition partition : partitions) {
                sum += consumer.position(partition);
            }
            return sum;
        }

        private static long sum(List<Long> numbers) {
            return numbers.stream().mapToLong(Long::longValue).sum();
        }

        private Duration patience() {
            return settings.connectTimeout().compareTo(LEAST_PATIENCE) > 0 ? settings.connectTimeout() : LEAST_PATIENCE;
        }
    }
}
