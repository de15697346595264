package io.heddle.persistence.kafka.transaction;

import io.heddle.core.operator.store.LogPartition;
import org.apache.kafka.clients.admin.ProducerState;

/**
 * A transaction that is open in a partition, and that its coordinator does not have.
 *
 * @param millis the time of its last record
 * @param transactionalId empty if no coordinator knows the producer
 */
record Suspect(
        LogPartition partition,
        long firstOffset,
        long producerId,
        int producerEpoch,
        int coordinatorEpoch,
        long millis,
        String transactionalId) {
    static Suspect of(LogPartition partition, ProducerState producer, String transactionalId) {
        return new Suspect(
                partition,
                producer.currentTransactionStartOffset().orElseThrow(),
                producer.producerId(),
                producer.producerEpoch(),
                producer.coordinatorEpoch().orElse(0),
                producer.lastTimestamp(),
                transactionalId);
    }
}
