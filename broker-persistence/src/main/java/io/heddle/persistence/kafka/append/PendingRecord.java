package io.heddle.persistence.kafka.append;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A record between its append and Kafka's answer. States: at its destination (queued, or being sent under the destination's lock), at
 * the producer, answered or abandoned. One thread at a time sends it. The producer's thread answers it, or the sending thread when the producer
 * rejects it at once.
 */
final class PendingRecord implements Callback {
    /** The producer's reaction to a record. */
    enum Handover {
        /** The producer accepted the record and will answer. */
        ACCEPTED,
        /** The producer has no memory for the record, or no metadata of its topic yet. */
        RETRY,
        /** The producer permanently rejected the record. */
        REJECTED
    }

    private static final long NO_THREAD = 0;

    private final ProducerRecord<byte[], byte[]> record;
    private final long bytes;
    private final AppendListener listener;
    private final Destination destination;
    private final AppendMetrics metrics;
    private final long startNanos = System.nanoTime();

    // The id of the sending thread while it sends. Other threads may see a stale value, which is never their own id.
    private long sendingThread = NO_THREAD;
    private @Nullable Exception rejection;

    // The list of the destination. Guarded by the destination.
    @Nullable
    PendingRecord previous;

    @Nullable
    PendingRecord next;

    boolean isListed;

    PendingRecord(
            ProducerRecord<byte[], byte[]> record,
            long bytes,
            AppendListener listener,
            Destination destination,
            AppendMetrics metrics) {
        this.record = record;
        this.bytes = bytes;
        this.listener = listener;
        this.destination = destination;
        this.metrics = metrics;
    }

    /** Sends the record. Never blocks, because the producer runs with max.block.ms=0. */
    Handover handTo(Producer<byte[], byte[]> producer) {
        rejection = null;
        sendingThread = Thread.currentThread().threadId();
        try {
            // The callback receives the result.
            Future<RecordMetadata> _ = producer.send(record, this);
        } catch (KafkaException | IllegalStateException e) {
            // The producer is closed or has failed fatally.
            rejection = e;
        } finally {
            sendingThread = NO_THREAD;
        }
        Exception rejected = rejection;
        if (rejected == null) {
            return Handover.ACCEPTED;
        }
        // With max.block.ms=0, missing memory and missing metadata are timeouts.
        return rejected instanceof TimeoutException ? Handover.RETRY : Handover.REJECTED;
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception fault) {
        if (Thread.currentThread().threadId() == sendingThread) {
            rejection = fault;
        } else if (fault != null || metadata == null) {
            fail(
                    fault == null
                            ? new IllegalStateException("Kafka's client reported neither an offset nor a fault")
                            : fault);
        } else if (destination.answer(this)) {
            destination.share().release(bytes);
            destination.timer().record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
            listener.onAppended(metadata.offset());
        }
    }

    /** Fails the record with the reason for which the producer rejected it. */
    void failAsRejected() {
        Exception rejected = rejection;
        fail(rejected == null ? new IllegalStateException("Kafka's client gave no reason") : rejected);
    }

    void fail(Throwable reason) {
        if (destination.answer(this)) {
            destination.share().release(bytes);
            metrics.failed(record.topic(), reason);
            listener.onFailed(reason);
        }
    }

    /** The {@link Destination} has given the record up. */
    void abandon() {
        destination.share().release(bytes);
        listener.onAbandoned();
    }

    ProducerRecord<byte[], byte[]> record() {
        return record;
    }
}
