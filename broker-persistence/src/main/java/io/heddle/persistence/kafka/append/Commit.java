package io.heddle.persistence.kafka.append;

import io.heddle.core.delivery.log.OrderFence;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records that are appended together or not at all, and who hears of it. The transactions' thread owns its offsets. */
final class Commit {
    /** Hears what came of a commit, once, on the transactions' thread or, when it is refused, the one that asked. */
    interface Listener {
        /**
         * All are durable, and readable.
         *
         * @param offsets in the order of the records
         */
        void committed(long[] offsets);

        /** None is, or nobody knows. */
        void failed(Throwable reason);
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

    /** Of its publisher. */
    OrderFence order() {
        return order;
    }

    /** The topic of its first record, by which it is counted. */
    String topic() {
        return records.getFirst().topic();
    }

    /** The transactions' client says so on its own thread, before the transaction is committed on the transactions' thread. */
    void written(int index, long offset) {
        offsets[index] = offset;
    }

    void committed() {
        listener.committed(Arrays.copyOf(offsets, offsets.length));
    }

    void failed(Throwable reason) {
        listener.failed(reason);
    }
}
