package io.heddle.core.operator.store;

/**
 * A transaction that its coordinator has ended, and that is still open in a partition: its marker is missing there. Readers of committed records
 * stop before its first record.
 *
 * @param bucket the bucket whose log the partition is, or {@link #NO_BUCKET}
 * @param firstOffset of the transaction in the partition
 * @param coordinatorEpoch of the latest marker of the producer in the partition
 * @param transactionalId empty if it is not known
 * @param outcome what the coordinator decided
 * @param problem one clause that says why the marker is not written; empty if nothing is known that prevents it
 */
public record HangingTransaction(
        LogPartition partition,
        int bucket,
        long firstOffset,
        long producerId,
        int producerEpoch,
        int coordinatorEpoch,
        String transactionalId,
        Outcome outcome,
        String problem) {
    public static final int NO_BUCKET = -1;

    public enum Outcome {
        COMMITTED,
        ABORTED,
        /** Not proven: only a person may decide. */
        UNPROVEN
    }

    HangingTransaction withProblem(String clause) {
        return new HangingTransaction(
                partition,
                bucket,
                firstOffset,
                producerId,
                producerEpoch,
                coordinatorEpoch,
                transactionalId,
                outcome,
                clause);
    }

    /** Returns a clause that says what waits, for the state of the cluster and of the bucket. */
    String clause() {
        return "Kafka has lost the marker of a transaction in " + partition + " at offset " + firstOffset
                + ", and nothing behind it is read; " + problem;
    }
}
