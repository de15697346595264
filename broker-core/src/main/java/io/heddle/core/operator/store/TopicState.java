package io.heddle.core.operator.store;

import java.util.List;

/**
 * @param partitions in the order of their numbers
 * @param followedLag the number of committed records that the answering node has not read yet, or {@link #NOT_FOLLOWED}
 */
public record TopicState(String name, List<Partition> partitions, long followedLag) {
    /** The servers do not report the size, because the account may not ask for it. */
    public static final long UNKNOWN = -1;

    /** The answering node does not read all records of the topic. */
    public static final long NOT_FOLLOWED = -1;

    public TopicState {
        partitions = List.copyOf(partitions);
    }

    /**
     * @param firstOffset the lowest offset that it may still have
     * @param endOffset one above the highest offset, open commits included
     * @param bytes of its largest replica, or {@link #UNKNOWN}
     * @param replicas the number of its replicas
     * @param inSyncReplicas the number of those that are in sync
     */
    public record Partition(
            int partition, long firstOffset, long endOffset, long bytes, int replicas, int inSyncReplicas) {}
}
