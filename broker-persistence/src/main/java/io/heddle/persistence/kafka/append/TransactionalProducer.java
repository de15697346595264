package io.heddle.persistence.kafka.append;

import io.heddle.core.OwnerThread;
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
 * Writes one transaction at a time. Owned by the thread of its {@link Transactions}, which it blocks, and before {@link #handOver} by the
 * thread that starts the broker. States: not ready (no initialised
 * producer), ready, in a transaction. After a transaction that can neither be committed nor aborted it is not ready: the next transaction
 * starts with a new producer, which aborts the old one.
 */
final class TransactionalProducer {
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final OwnerThread owner = new OwnerThread();
    // Written by the owner.
    private volatile @Nullable Producer<byte[], byte[]> ready;

    TransactionalProducer(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /** Creates the producers of a lane, which take turns. */
    static List<TransactionalProducer> of(CommitLane lane, KafkaSettings settings, ProducerSettings producers) {
        return IntStream.range(lane.firstId(), lane.firstId() + lane.ids())
                .mapToObj(index -> of(settings, producers, index))
                .toList();
    }

    private static TransactionalProducer of(KafkaSettings settings, ProducerSettings producers, int index) {
        String name = producers.nodeId() + "-" + index;
        Map<String, Object> all = settings.clientProperties("heddle-transactions-" + name);
        LogProducer.addDurability(all);
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "heddle-" + name);
        all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) ProducerSettings.TRANSACTION_TIMEOUT.toMillis());
        // Shorter than the transaction timeout, so that this node aborts the transaction and not Kafka.
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 8_000);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 4_000);
        // One batch is in flight at a time; the other records wait for the next batch.
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, producers.bufferMemoryBytes());
        // Topics of APPLICATION clients are created and deleted, so metadata of idle topics expires.
        all.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, LogProducer.METADATA_IDLE_OF_TEMPORARY_TOPICS.toMillis());
        return new TransactionalProducer(() -> LogProducer.create(all, settings));
    }

    /**
     * Initialises a producer unless one is ready. Kafka aborts an open transaction with the same transactional id, whether of this process
     * or of one that died.
     *
     * @throws KafkaException when the producer cannot be initialised now; the caller may retry
     */
    void prepare() {
        owner.assertCurrent();
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

    /** Passes the producer to the next thread that uses it. */
    void handOver() {
        owner.handOver();
    }

    /**
     * Writes these commits in one transaction.
     *
     * @param isStopping whether the node is stopping, which ends the retries of a commit
     * @throws KafkaException when the transaction was aborted, or its outcome is unknown
     */
    void write(List<Commit> commits, BooleanSupplier isStopping) {
        owner.assertCurrent();
        Producer<byte[], byte[]> producer = ready;
        if (producer == null) {
            throw new IllegalStateException("prepare the producer before it writes");
        }
        try {
            producer.beginTransaction();
            for (Commit commit : commits) {
                send(commit, producer);
            }
            commit(producer, isStopping);
        } catch (KafkaException | IllegalStateException e) {
            abort(producer, e);
            throw e instanceof KafkaException fault ? fault : new KafkaException(e.getMessage(), e);
        }
    }

    private static void send(Commit commit, Producer<byte[], byte[]> producer) {
        for (int i = 0; i < commit.records().size(); i++) {
            int index = i;
            Future<RecordMetadata> _ = producer.send(commit.records().get(i), (metadata, fault) -> {
                // The commit throws the fault.
                if (fault == null && metadata != null) {
                    commit.onWritten(index, metadata.offset());
                }
            });
        }
    }

    /** Retries the commit until Kafka answers, because a commit that timed out may have happened. Kafka allows such retries. */
    private static void commit(Producer<byte[], byte[]> producer, BooleanSupplier isStopping) {
        while (true) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (isStopping.getAsBoolean()) {
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

    /**
     * Requests the metadata of a topic unless it is known. Any thread; blocks for some seconds.
     *
     * @return false when Kafka does not report the topic; true when a transaction would not wait for it, or would report another fault
     */
    boolean knows(String topic) {
        Producer<byte[], byte[]> producer = ready;
        if (producer == null) {
            return true;
        }
        try {
            producer.partitionsFor(topic);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (KafkaException | IllegalStateException e) {
            return true;
        }
    }

    /** Closes the connection. Kafka aborts an open transaction at its timeout, or when the next producer with its id is initialised. */
    void close() {
        owner.assertCurrent();
        Producer<byte[], byte[]> producer = ready;
        ready = null;
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }
}
