package io.heddle.persistence.kafka.append;

import io.micrometer.core.instrument.Timer;
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
 * A record between its append and Kafka's answer. States: with its destination (waiting, or being handed over under its lock),
 * with the producer, answered. Handed over by one thread at a time; answered by the producer's thread, or by the one that handed
 * it over when the producer refuses it at once.
 */
final class PendingRecord implements Callback {
    /** What the producer did with it. */
    enum Handover {
        /** It has it, and will answer. */
        TAKEN,
        /** Not now: there is no memory, or it does not know yet where to send it. */
        NOT_NOW,
        /** Never. */
        REFUSED
    }

    private static final long NOBODY = 0;

    private final ProducerRecord<byte[], byte[]> record;
    private final long bytes;
    private final AppendListener listener;
    private final PendingAppends.Share pending;
    private final AppendMetrics metrics;
    private final Timer timer;
    private final long startNanos = System.nanoTime();

    // While it is handed over: the id of the thread that does it. Others may see it late, and see an id that is not
    // theirs.
    private long handingOver = NOBODY;
    private @Nullable Exception refusal;

    PendingRecord(
            ProducerRecord<byte[], byte[]> record,
            long bytes,
            AppendListener listener,
            PendingAppends.Share pending,
            AppendMetrics metrics,
            Timer timer) {
        this.record = record;
        this.bytes = bytes;
        this.listener = listener;
        this.pending = pending;
        this.metrics = metrics;
        this.timer = timer;
    }

    /** Never blocks: the producer waits for nothing. */
    Handover handTo(Producer<byte[], byte[]> producer) {
        refusal = null;
        handingOver = Thread.currentThread().threadId();
        try {
            // What would come of it comes to the callback.
            Future<RecordMetadata> _ = producer.send(record, this);
        } catch (KafkaException | IllegalStateException e) {
            // A producer that is closed, or that can't go on at all.
            refusal = e;
        } finally {
            handingOver = NOBODY;
        }
        Exception refused = refusal;
        if (refused == null) {
            return Handover.TAKEN;
        }
        // What max.block.ms=0 makes of missing memory and missing metadata.
        return refused instanceof TimeoutException ? Handover.NOT_NOW : Handover.REFUSED;
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception fault) {
        if (Thread.currentThread().threadId() == handingOver) {
            refusal = fault;
        } else if (fault != null || metadata == null) {
            fail(fault == null ? new IllegalStateException("Kafka's client gave no answer") : fault);
        } else {
            pending.release(bytes);
            timer.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
            listener.appended(metadata.offset());
        }
    }

    /** Tells what the producer refused it for. */
    void failAsRefused() {
        Exception refused = refusal;
        fail(refused == null ? new IllegalStateException("Kafka's client gave no reason") : refused);
    }

    /** It will never be appended, or nobody knows. */
    void fail(Throwable reason) {
        pending.release(bytes);
        metrics.failed(record.topic(), reason);
        listener.failed(reason);
    }
}
