package io.heddle.persistence.kafka.transaction;

import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.persistence.kafka.transaction.TransactionRecord.Status;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What {@code __transaction_state} says about an open transaction of a partition. Gets the records of all transactional ids, those of one id in
 * their order. One thread.
 *
 * <p>The transaction is the one that was ongoing with the producer id and the epoch of the partition's records, and that had added the partition.
 * The next record of its transactional id that prepares a commit or an abort is the decision. By transaction version 2, each transaction has an
 * epoch of its own, so there is one such decision; by earlier versions, the latest one counts.
 */
final class TransactionDecision {
    private final long producerId;
    private final int producerEpoch;
    private final TopicPartition partition;
    // Of the transactional id, once it is known.
    private @Nullable String transactionalId;
    private boolean isOngoing;
    private Outcome prepared = Outcome.UNPROVEN;
    private boolean isComplete;
    private boolean isFenced;

    TransactionDecision(long producerId, int producerEpoch, TopicPartition partition) {
        this.producerId = producerId;
        this.producerEpoch = producerEpoch;
        this.partition = partition;
    }

    /** @param record null if the transactional id has expired */
    void accept(String id, @Nullable TransactionRecord record) {
        if (record != null
                && record.status() == Status.ONGOING
                && record.producerId() == producerId
                && record.producerEpoch() == producerEpoch
                && record.partitions().contains(partition)) {
            transactionalId = id;
            isOngoing = true;
            prepared = Outcome.UNPROVEN;
            isComplete = false;
            isFenced = false;
        } else if (id.equals(transactionalId)) {
            follow(record);
        }
    }

    private void follow(@Nullable TransactionRecord record) {
        if (record == null) {
            isFenced = true;
            return;
        }
        if (isOngoing) {
            isOngoing = false;
            if (record.isPrepared()
                    && record.producerId() == producerId
                    && record.partitions().contains(partition)) {
                prepared = record.status() == Status.PREPARE_COMMIT ? Outcome.COMMITTED : Outcome.ABORTED;
            }
        } else if (!record.isPrepared()) {
            isComplete = true;
        }
        isFenced = record.producerId() != producerId || record.producerEpoch() > producerEpoch;
    }

    /** Returns the transactional id, or an empty text if it is not known. */
    String transactionalId() {
        return transactionalId == null ? "" : transactionalId;
    }

    /** Returns whether the coordinator has not finished the transaction, so that the marker may still come. */
    boolean isRunning() {
        return transactionalId != null && (isOngoing || (prepared != Outcome.UNPROVEN && !isComplete));
    }

    /** Returns the outcome, if it is proven and the producer cannot write with this epoch any more. */
    Outcome outcome() {
        return isComplete && isFenced ? prepared : Outcome.UNPROVEN;
    }

    /** Returns one clause that says why the outcome is not proven; empty if it is. */
    String problem() {
        if (outcome() != Outcome.UNPROVEN) {
            return "";
        }
        if (transactionalId == null) {
            return "__transaction_state has no record of it, so its outcome is not proven";
        }
        return isComplete && prepared != Outcome.UNPROVEN
                ? "its producer may write with the same epoch again, because it does not use transaction version 2"
                : "__transaction_state does not have its decision, so its outcome is not proven";
    }
}
