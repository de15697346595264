package io.heddle.core.changelog;

import java.util.List;

/**
 * Receives the records of a log from its beginning on, until the log is closed. The log calls it on one thread, which must not be blocked.
 * The records of one partition arrive in the order of the log.
 *
 * @param <R> a record
 */
public interface LogFollower<R> {
    /**
     * The log is about to pass its records. Called first and once.
     *
     * @param ends the offset behind the last readable record of each partition at this moment; absent for empty partitions at the end
     */
    void onStart(List<Long> ends);

    /** Returns whether the follower accepts more records. While it does not, the log asks again in a few milliseconds. */
    boolean hasRoom();

    /** The next record of a partition. Offsets rise and may have gaps. */
    void onRecord(int partition, long offset, R record);

    /** All records of a partition below this offset were passed to {@link #onRecord}, except those that compaction has removed. */
    void onReached(int partition, long next);

    /**
     * The next record cannot be read: its topic was replaced, or another build wrote it. Nothing more is called.
     *
     * @param reason one clause for the operator
     */
    void onLost(String reason);
}
