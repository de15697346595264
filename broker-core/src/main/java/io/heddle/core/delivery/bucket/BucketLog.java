package io.heddle.core.delivery.bucket;

import io.heddle.core.Port;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The reading side of the bucket logs: the log of each bucket that this node holds is read. Thread-safe; calls of {@link #hold} and {@link
 * #release} take effect in their order. Records of incomplete commits are not read.
 */
@Port
public interface BucketLog {
    /** Starts the thread that reads the logs. No bucket is held. Called once, before the methods that concern held buckets. */
    void read(BucketSink sink);

    /** Stops reading. The sink is not called after this returns. Must not be called by the sink. */
    void stopReading();

    /** Begins to read buckets at the positions of their queues. Ignores buckets that are held already. Does not block. */
    void hold(Set<Integer> buckets);

    /**
     * Stops reading buckets, and drops their commands that are read but not applied. Ignores buckets that are not held. Does not block.
     *
     * @return completes when the sink makes no further call to a store for these buckets, on the reading thread or when reading has
     *     stopped; never fails
     */
    CompletionStage<Void> release(Set<Integer> buckets);

    /**
     * Makes the sink determine again where to continue reading these buckets, because their queues may have rolled back. These buckets are
     * not read until the sink has determined that. Ignores buckets that are not held.
     */
    void rewind(Set<Integer> buckets);

    /**
     * Returns the end offset of each bucket's log, open commits included. {@link BucketSink#onReached} reports when reading has reached it.
     * Fails with {@link io.heddle.core.StoreUnavailableException}.
     */
    CompletionStage<List<Long>> ends();

    /**
     * Returns the size of each bucket's log on disk, in bytes, including deleted commands whose space is not freed yet; the largest replica
     * counts. Fails with {@link io.heddle.core.StoreUnavailableException}.
     */
    CompletionStage<List<Long>> sizes();

    /**
     * Deletes the commands of a bucket below an offset permanently. Idempotent; fails with {@link
     * io.heddle.core.StoreUnavailableException}.
     */
    CompletionStage<Void> deleteBelow(int bucket, long offset);
}
