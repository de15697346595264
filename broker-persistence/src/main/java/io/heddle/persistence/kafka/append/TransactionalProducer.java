package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.ProducerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes one transaction at a time. Owned by one thread, which it blocks. States: none (no producer, or one that is not
 * initialised), ready, in a transaction. A transaction that can't be ended in order leaves none: the next begins with a
 * new producer, which ends what the old one left open.
 */
final class TransactionalProducer {
    /**
     * How many take turns. Kafka writes the ends of a transaction into its partitions after it has answered, and until then the same
     * transactional id begins no other: with one alone, that wait of some 20 ms would be in every transaction.
     */
    private static final int TURNS = 3;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private @Nullable Producer<byte[], byte[]> ready;

    TransactionalProducer(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /** Those of a node, to take turns. */
    static List<TransactionalProducer> of(KafkaSettings settings, ProducerSettings producers) {
        return IntStream.range(0, TURNS)
                .mapToObj(turn -> of(settings, producers, turn))
                .toList();
    }

    private static TransactionalProducer of(KafkaSettings settings, ProducerSettings producers, int turn) {
        String name = producers.nodeId() + "-" + turn;
        Map<String, Object> all = settings.clientProperties("heddle-transactions-" + name);
        LogProducer.durable(all);
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "heddle-" + name);
        all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) ProducerSettings.LONGEST_TRANSACTION.toMillis());
        // Its records are tried for less than the transaction lasts, so that it is ended here and not by Kafka.
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 8_000);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 4_000);
        // One batch is under way at a time: what does not fit waits for the next transaction.
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, producers.bufferMemoryBytes());
        // Topics of applications come and go: what was not written to for long is looked up again.
        all.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, LogProducer.OF_TOPICS_THAT_GO.toMillis());
        return new TransactionalProducer(() -> LogProducer.create(all, settings));
    }

    /**
     * Makes it ready, if it is not: whatever was left open under the same name, here or by a process that died, is aborted.
     *
     * @throws KafkaException when that is not possible now; may be tried again
     */
    void prepare() {
        if (ready != null) {
            return;
        }
        Producer<byte[], byte[]> producer = producers.get();
        boolean initialised = false;
        try {
            producer.initTransactions();
            ready = producer;
            initialised = true;
        } finally {
            if (!initialised) {
                producer.close(Duration.ZERO);
            }
        }
    }

    /**
     * Writes these in one transaction.
     *
     * @param stopping whether nobody waits for an answer any more
     * @throws KafkaException when nothing of it was committed, or nobody knows
     */
    void write(List<Commit> commits, BooleanSupplier stopping) {
        Producer<byte[], byte[]> producer = ready;
        if (producer == null) {
            throw new IllegalStateException("not prepared");
        }
        try {
            producer.beginTransaction();
            for (Commit commit : commits) {
                send(commit, producer);
            }
            commit(producer, stopping);
        } catch (KafkaException | IllegalStateException e) {
            abort(producer, e);
            throw e instanceof KafkaException fault ? fault : new KafkaException(e.getMessage(), e);
        }
    }

    private static void send(Commit commit, Producer<byte[], byte[]> producer) {
        for (int i = 0; i < commit.records().size(); i++) {
            int index = i;
            Future<RecordMetadata> _ = producer.send(commit.records().get(i), (metadata, fault) -> {
                // A fault comes again from the commit.
                if (fault == null && metadata != null) {
                    commit.written(index, metadata.offset());
                }
            });
        }
    }

    /** Once asked for, a commit may have happened: it is asked for again until there is an answer, which is what Kafka allows. */
    private static void commit(Producer<byte[], byte[]> producer, BooleanSupplier stopping) {
        while (true) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (stopping.getAsBoolean()) {
                    throw e;
                }
            }
        }
    }

    private void abort(Producer<byte[], byte[]> producer, Exception reason) {
        try {
            producer.abortTransaction();
        } catch (KafkaException | IllegalStateException e) {
            reason.addSuppressed(e);
            close();
        }
    }

    /** Ends the connection; an open transaction is aborted by Kafka, or by the next who prepares under the same name. */
    void close() {
        Producer<byte[], byte[]> producer = ready;
        ready = null;
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }
}
