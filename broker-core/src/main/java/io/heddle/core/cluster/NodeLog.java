package io.heddle.core.cluster;

import io.heddle.core.Port;
import java.util.concurrent.CompletionStage;

/** The log of nodes, which all nodes append to and follow in one order. Thread-safe. */
@Port
public interface NodeLog {
    /** The name of the log, for operators. */
    String NAME = "heddle.nodes";

    /**
     * Appends a record. Does not block longer than it takes to learn where the log is.
     *
     * @return completes when the record survives the loss of any one server. Fails if it was not appended in a few seconds; then it may
     *     still arrive late. Completes on a thread of the log, which must not be blocked
     */
    CompletionStage<Appended> append(NodeRecord record);

    /**
     * Follows the log from its beginning until the log is closed. Called once.
     *
     * @throws io.heddle.core.StoreUnavailableException if the log cannot be reached
     */
    void follow(Follower follower);

    /** Returns the first offset of the log and the offset behind its last record, as of an instant after the call. */
    CompletionStage<Bounds> bounds();

    /**
     * The place of an appended record.
     *
     * @param timestampMillis the time of Kafka's broker when it appended the record
     */
    record Appended(long offset, long timestampMillis) {}

    /**
     * The offsets that a log has.
     *
     * @param beginning older records are deleted
     * @param end the offset of the next record
     */
    record Bounds(long beginning, long end) {}

    /** Receives the records, on a thread of the log. */
    interface Follower {
        /** The log begins at this offset. Called first and once. */
        void onBeginning(long offset);

        /** The next record. Offsets rise and may have gaps. */
        void onRecord(long offset, NodeRecord record);

        /** All records below this offset were passed to {@link #onRecord}. */
        void onReached(long next);

        /**
         * The next record cannot be read: it is deleted already, or another build wrote it. Nothing more is called.
         *
         * @param reason one clause for the operator
         */
        void onLost(String reason);
    }
}
