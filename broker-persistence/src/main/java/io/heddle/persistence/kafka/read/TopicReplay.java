package io.heddle.persistence.kafka.read;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays compacted topics from their beginning to the end that they have when the replay starts. Each replay has its own consumer and
 * blocks the calling thread. Stateless.
 */
public final class TopicReplay {
    private static final Logger log = LoggerFactory.getLogger(TopicReplay.class);
    // All records are there. A consumer that closes waits for the answer to its last fetch, which returns nothing more.
    private static final Map<String, Object> SHORT_FETCHES = Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
    private static final long REPORT_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
    // An open transaction of a crashed node blocks readers until Kafka aborts it; Kafka checks for these every ten
    // seconds.
    private static final Duration MINIMUM_STALL_LIMIT = ProducerSettings.TRANSACTION_TIMEOUT.multipliedBy(3);

    private final KafkaSettings settings;
    private final LogConsumers consumers;
    private final LogOffsets offsets;
    private final LongSupplier nanoTime;

    public TopicReplay(KafkaSettings settings, LogOffsets offsets, LongSupplier nanoTime) {
        this.settings = settings;
        this.consumers = new LogConsumers(settings);
        this.offsets = offsets;
        this.nanoTime = nanoTime;
    }

    /** Receives the records of a replay, on the replaying thread. */
    @FunctionalInterface
    public interface Records {
        /**
         * Reads a record.
         *
         * @param value null when the record removes its key
         * @throws UnreadableRecordException when it is truncated or of a later version
         */
        void read(RecordReader key, @Nullable RecordReader value);
    }

    /**
     * Replays a topic with this number of partitions.
     *
     * @throws StoreUnavailableException when Kafka fails, or the replay makes no progress for too long
     * @throws StartupException when a record is unreadable
     */
    public void run(String topic, int partitionCount, Records records, ChangeLog.Progress progress) {
        List<TopicPartition> partitions = LogOffsets.partitions(topic, partitionCount);
        try (Consumer<byte[], byte[]> consumer = consumers.create("heddle-replay-" + topic, SHORT_FETCHES)) {
            Replay replay = new Replay(
                    topic,
                    records,
                    progress,
                    consumer,
                    partitions,
                    offsets.beginnings(partitions).toCompletableFuture().join(),
                    offsets.ends(partitions).toCompletableFuture().join());
            replay.run();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreUnavailableException unavailable
                    ? unavailable
                    : new StoreUnavailableException("Kafka did not list the offsets of " + topic, e);
        } catch (KafkaException e) {
            throw new StoreUnavailableException("Kafka failed during the replay of " + topic, e);
        } catch (UnreadableRecordException e) {
            throw new StartupException(
                    e.getMessage() + ". Start the version of Heddle that wrote it, or restore " + topic
                            + " from a backup",
                    e);
        }
    }

    /** One replay of one topic, confined to the calling thread. */
    private final class Replay {
        private final String topic;
        private final Records records;
        private final ChangeLog.Progress progress;
        private final Consumer<byte[], byte[]> consumer;
        private final List<TopicPartition> partitions;
        private final List<Long> ends;
        private final long total;
        private final long startNanos = nanoTime.getAsLong();
        private long read;
        private long reached;
        private long progressNanos = startNanos;
        private long reportedNanos = startNanos;

        Replay(
                String topic,
                Records records,
                ChangeLog.Progress progress,
                Consumer<byte[], byte[]> consumer,
                List<TopicPartition> partitions,
                List<Long> beginnings,
                List<Long> ends) {
            this.topic = topic;
            this.records = records;
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
            this.total = sum;
            this.reached = sum(beginnings);
        }

        void run() {
            PollLoop.until(this::isDone, consumer, this::handle);
            progress.read(read, Math.max(read, total));
            log.info(
                    "Replayed {}: {} records in {} ms",
                    topic,
                    read,
                    TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos));
        }

        private boolean isDone() {
            for (int i = 0; i < partitions.size(); i++) {
                if (consumer.position(partitions.get(i)) < ends.get(i)) {
                    return false;
                }
            }
            return true;
        }

        private void handle(ConsumerRecords<byte[], byte[]> polled) {
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                apply(record);
                read++;
            }
            long now = nanoTime.getAsLong();
            long position = position();
            if (position != reached) {
                reached = position;
                progressNanos = now;
            } else if (now - progressNanos > stallLimit().toNanos()) {
                throw new StoreUnavailableException(
                        "The replay of " + topic + " from Kafka at " + settings.bootstrapServers()
                                + " stalled: no progress for " + stallLimit().toSeconds() + " s",
                        null);
            }
            if (now - reportedNanos >= REPORT_INTERVAL_NANOS) {
                reportedNanos = now;
                progress.read(read, Math.max(read, total));
                log.info("Replaying {}: {} of about {} records", topic, read, Math.max(read, total));
            }
        }

        private void apply(ConsumerRecord<byte[], byte[]> record) {
            byte[] key = record.key();
            byte[] value = record.value();
            if (key == null) {
                throw new UnreadableRecordException(KafkaTopics.place(record), "it has no key");
            }
            records.read(
                    new RecordReader(key, () -> KafkaTopics.place(record)),
                    value == null ? null : new RecordReader(value, () -> KafkaTopics.place(record)));
        }

        private long position() {
            long sum = 0;
            for (TopicPartition partition : partitions) {
                sum += consumer.position(partition);
            }
            return sum;
        }

        private static long sum(List<Long> numbers) {
            return numbers.stream().mapToLong(Long::longValue).sum();
        }

        private Duration stallLimit() {
            return settings.connectTimeout().compareTo(MINIMUM_STALL_LIMIT) > 0
                    ? settings.connectTimeout()
                    : MINIMUM_STALL_LIMIT;
        }
    }
}
