package io.heddle.core.delivery.bucket;

import io.heddle.core.Port;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The reading side of the logs of all buckets. Thread-safe. Records of incomplete commits are not read. */
@Port
public interface BucketLog {
    /** Starts reading all buckets on a thread of the log. Called once. */
    void read(BucketSink sink);

    /** Stops reading. The sink is not called after this returns. Must not be called by the sink. */
    void stopReading();

    /**
     * Makes the sink determine again where to continue reading these buckets, because their queues may have rolled back. These buckets are
     * not read until the sink has determined that.
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
