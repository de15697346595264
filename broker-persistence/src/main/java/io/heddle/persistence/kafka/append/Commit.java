package io.heddle.persistence.kafka.append;

import io.heddle.core.delivery.log.OrderFence;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records that are appended atomically, with the listener of their outcome. The thread {@code heddle-transactions} owns the offsets. */
final class Commit {
    /** Receives the outcome, once, on the thread {@code heddle-transactions}, or on the caller's when the commit is rejected at once. */
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
    private final Listener listener;
    private final long[] offsets;

    Commit(List<ProducerRecord<byte[], byte[]>> records, OrderFence order, Listener listener) {
        this.records = records;
        this.order = order;
        this.listener = listener;
        this.offsets = new long[records.size()];
        long sum = 0;
        for (ProducerRecord<byte[], byte[]> record : records) {
            sum += PendingAppends.bytesOf(record);
        }
        this.bytes = sum;
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

    /** Returns the topic of the first record, by which metrics count the commit. */
    String topic() {
        return records.getFirst().topic();
    }

    /** Kafka's client calls this on its own thread, before {@code heddle-transactions} commits the transaction. */
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
