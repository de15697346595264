package io.heddle.core.delivery.device;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the bucket log is read for. All of it is called on the one thread that reads the log, in the order of the log, and may
 * block it: nothing further is read meanwhile. What throws a {@link RuntimeException} is called again after a pause, with the
 * same batches.
 */
public interface BucketSink {
    /**
     * Where to begin.
     *
     * @return the offset of the last command that is applied: reading begins behind it. {@link BucketBatch#NOTHING} for the
     *     beginning of the log
     */
    long appliedOffset(int bucket);

    /**
     * Where to go on with buckets whose queues may have forgotten something; answered like {@link #appliedOffset}.
     *
     * @return for each of them
     */
    Map<Integer, Long> appliedOffsets(Set<Integer> buckets);

    /**
     * Takes what was read together.
     *
     * @param batches at most one of each bucket, at least one in all
     * @return the buckets that must be read again, each with the offset behind which reading goes on ({@link
     *     BucketBatch#NOTHING}: the beginning); what was read of other buckets is done with
     */
    Map<Integer, Long> apply(List<BucketBatch> batches);

    /**
     * Everything below this offset was handed over, also when there was nothing to hand over: what makes a commit atomic takes
     * offsets of its own.
     */
    void reached(int bucket, long nextOffset);

    /**
     * A bucket is not read any more until the node is started again, because going on would lose something.
     *
     * @param reason one sentence for the operator: what, where, what to do
     */
    void stopped(int bucket, String reason);
}
