package io.heddle.api.stores;

import io.heddle.api.problem.FieldProblems;
import io.heddle.core.operator.store.LogPartition;
import org.jspecify.annotations.Nullable;

/**
 * Which hanging transaction ends, and how.
 *
 * @param outcome null for the proven one
 */
record EndTransactionRequest(
        @Nullable String topic,
        @Nullable Integer partition,
        @Nullable Long producerId,
        @Nullable End outcome) {
    /** The outcome: the records of the transaction become visible, or are discarded. */
    enum End {
        COMMITTED,
        ABORTED
    }

    LogPartition requirePartition() {
        new FieldProblems()
                .require(topic != null && !topic.isBlank(), "topic", "Give the name of the topic.")
                .require(partition != null && partition >= 0, "partition", "Give the number of the partition.")
                .require(producerId != null && producerId >= 0, "producerId", "Give the producer id.")
                .throwIfAny();
        return new LogPartition(topic == null ? "" : topic, partition == null ? 0 : partition);
    }
}
