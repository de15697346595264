package io.heddle.api.stores;

import io.heddle.core.operator.store.HangingTransaction;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A transaction whose marker Kafka has lost in a partition.
 *
 * @param firstOffset readers of the partition stop before it
 * @param transactionalId null if it is not known
 * @param outcome what the coordinator decided, if that is proven
 * @param problem why the outcome is not proven; null if it is
 */
record HangingTransactionResponse(
        String topic,
        int partition,
        long firstOffset,
        long producerId,
        int producerEpoch,
        @Nullable String transactionalId,
        Outcome outcome,
        @Nullable String problem) {
    static HangingTransactionResponse of(HangingTransaction transaction) {
        return new HangingTransactionResponse(
                transaction.partition().topic(),
                transaction.partition().partition(),
                transaction.firstOffset(),
                transaction.producerId(),
                transaction.producerEpoch(),
                transaction.transactionalId().isEmpty() ? null : transaction.transactionalId(),
                transaction.outcome(),
                transaction.problem().isEmpty() ? null : transaction.problem());
    }
}
