package io.heddle.persistence.kafka.transaction;

import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.PollLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads {@code __transaction_state} from the time of a transaction on. Rare, so it has a consumer for each call. Bounded by {@link #LIMIT}: a record is
 * read once and not kept.
 */
final class TransactionStateReader {
    private static final String TOPIC = "__transaction_state";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Longer than the transactions of a restore, and the clocks of a node and of Kafka differ. */
    private static final Duration BEFORE = ProducerSettings.RESTORE_TIMEOUT.plusMinutes(5);

    private final LogConsumers consumers;

    TransactionStateReader(LogConsumers consumers) {
        this.consumers = consumers;
    }

    /**
     * Passes the records to the decisions. Blocks.
     *
     * @param since the time of the transactions' records, in milliseconds; negative if unknown
     * @return whether all records were read in time
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer, or refuses
     */
    boolean read(long since, Collection<TransactionDecision> decisions) {
        Deadline deadline = Deadline.in(LIMIT, System::nanoTime);
        try (Consumer<byte[], byte[]> consumer = consumers.create("heddle-transaction-state")) {
            List<TopicPartition> partitions = consumer.partitionsFor(TOPIC).stream()
                    .map(each -> new TopicPartition(TOPIC, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            if (since >= 0) {
                seek(consumer, partitions, Math.max(0, since - BEFORE.toMillis()), ends);
            }
            PollLoop.until(() -> deadline.isOver() || isAt(consumer, ends), consumer, polled -> {
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    accept(record, decisions);
                }
            });
            return isAt(consumer, ends);
        }
    }

    private static boolean isAt(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static void seek(
            Consumer<byte[], byte[]> consumer,
            List<TopicPartition> partitions,
            long millis,
            Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(each -> times.put(each, millis));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
        for (TopicPartition each : partitions) {
            OffsetAndTimestamp first = found.get(each);
            consumer.seek(each, first == null ? ends.getOrDefault(each, 0L) : first.offset());
        }
    }

    private static void accept(ConsumerRecord<byte[], byte[]> record, Collection<TransactionDecision> decisions) {
        String id = record.key() == null ? null : TransactionRecord.transactionalId(record.key());
        if (id != null) {
            TransactionRecord value = record.value() == null ? null : TransactionRecord.parse(record.value());
            decisions.forEach(each -> each.accept(id, value));
        }
    }
}
