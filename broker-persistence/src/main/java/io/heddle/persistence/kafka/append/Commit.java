package io.heddle.persistence.kafka.append;

import io.heddle.core.delivery.log.OrderFence;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records that are appended atomically, with the listener of their outcome. The thread of the {@link Transactions} owns the offsets. */
final class Commit {
    /** Receives the outcome, once, on the thread of the {@link Transactions}, or on the caller's when the commit is rejected at once. */
    interface Listener {
        /**
         * All records are durable and readable.
         *
         * @param offsets in the order of the records
         */
        void onCommitted(long[] offsets);

        /** No record was committed, or the outcome is unknown. */
        void onFailed(Throwable reason);
    }

    private final List<ProducerRecord<byte[], byte[]>> records;
    private final long bytes;
    private final OrderFence order;
    private final boolean isRepeatable;
    private final Listener listener;
    private final long[] offsets;

    private Commit(
            List<ProducerRecord<byte[], byte[]>> records, OrderFence order, boolean isRepeatable, Listener listener) {
        this.records = records;
        this.order = order;
        this.isRepeatable = isRepeatable;
        this.listener = listener;
        this.offsets = new long[records.size()];
        long sum = 0;
        for (ProducerRecord<byte[], byte[]> record : records) {
            sum += PendingAppends.bytesOf(record);
        }
        this.bytes = sum;
    }

    /** Creates a commit whose records must not be stored twice. It fails when its transaction fails or has an unknown outcome. */
    static Commit once(List<ProducerRecord<byte[], byte[]>> records, OrderFence order, Listener listener) {
        return new Commit(records, order, false, listener);
    }

    /**
     * Creates a commit whose records have the same effect when they are stored twice. It is retried until it is stored, and fails only if a
     * record can never be stored.
     */
    static Commit repeatable(List<ProducerRecord<byte[], byte[]>> records, OrderFence order, Listener listener) {
        return new Commit(records, order, true, listener);
    }

    List<ProducerRecord<byte[], byte[]>> records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the fence of the publisher's order. */
    OrderFence order() {
        return order;
    }

    boolean isRepeatable() {
        return isRepeatable;
    }

    /** Returns the topic of the first record, by which metrics count the commit. */
    String topic() {
        return records.getFirst().topic();
    }

    /** Kafka's client calls this on its own thread, before the transaction is committed. */
    void onWritten(int index, long offset) {
        offsets[index] = offset;
    }

    void complete() {
        listener.onCommitted(Arrays.copyOf(offsets, offsets.length));
    }

    void fail(Throwable reason) {
        listener.onFailed(reason);
    }
}
