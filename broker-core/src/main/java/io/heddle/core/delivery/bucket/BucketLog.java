package io.heddle.core.delivery.bucket;

import io.heddle.core.Port;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The log of all buckets, as it is read. Thread-safe. Nothing is read that belongs to a commit which is not complete. */
@Port
public interface BucketLog {
    /** Begins to read every bucket, on a thread of the log. Once. */
    void read(BucketSink sink);

    /** Ends reading; when this returns, the sink is not called any more. Not to be called by the sink. */
    void stopReading();

    /**
     * Has the sink find out anew where to go on with some buckets, soon: for those who find out, while nothing is read, that the queues
     * may have forgotten something. Until the sink can say, nothing of these is read.
     */
    void rewind(Set<Integer> buckets);

    /**
     * Where the logs end now: for each bucket the offset that comes next, open commits included. {@link BucketSink#reached}
     * says when reading is there. Fails with {@link io.heddle.core.StoreUnavailableException}.
     */
    CompletionStage<List<Long>> ends();

    /**
     * The bytes that the log of each bucket takes on the disk, with deleted commands whose space is not freed yet; of several
     * copies the largest. Fails with {@link io.heddle.core.StoreUnavailableException}.
     */
    CompletionStage<List<Long>> sizes();

    /**
     * Deletes the commands of a bucket below an offset, for good. Fails with {@link
     * io.heddle.core.StoreUnavailableException}; may be repeated.
     */
    CompletionStage<Void> deleteBelow(int bucket, long offset);
}
