package io.heddle.core.testkit;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes down what a bucket log tells it. Thread-safe. */
public final class RecordingSink implements BucketSink {
    private final Map<Integer, Long> applied = new HashMap<>();
    private final Map<Integer, Long> reached = new HashMap<>();
    private final Map<Integer, String> stopped = new HashMap<>();
    private final Map<Integer, Long> goBack = new HashMap<>();
    private final List<BucketBatch> batches = new ArrayList<>();
    private @Nullable RuntimeException fault;
    private @Nullable RuntimeException faultWhenAsked;

    /** Says that a bucket is applied up to an offset, when it is asked. */
    public synchronized RecordingSink startAfter(int bucket, long offset) {
        applied.put(bucket, offset);
        return this;
    }

    /** Sends the next batch of a bucket back. */
    public synchronized void goBackOnce(int bucket, long afterOffset) {
        goBack.put(bucket, afterOffset);
    }

    /** Throws this at the next batches, once. */
    public synchronized void failOnce(RuntimeException reason) {
        fault = reason;
    }

    /** Forgets what it was told to be reached. */
    public synchronized void forgetReached() {
        reached.clear();
    }

    /** Throws this when it is asked anew where to go on, once. */
    public synchronized void failOnceWhenAsked(RuntimeException reason) {
        faultWhenAsked = reason;
    }

    @Override
    public synchronized long appliedOffset(int bucket) {
        return applied.getOrDefault(bucket, BucketBatch.NOTHING);
    }

    @Override
    public synchronized Map<Integer, Long> appliedOffsets(Set<Integer> buckets) {
        RuntimeException thrown = faultWhenAsked;
        faultWhenAsked = null;
        if (thrown != null) {
            throw thrown;
        }
        Map<Integer, Long> offsets = new HashMap<>();
        for (int bucket : buckets) {
            offsets.put(bucket, appliedOffset(bucket));
        }
        return offsets;
    }

    @Override
    public synchronized Map<Integer, Long> apply(List<BucketBatch> several) {
        RuntimeException thrown = fault;
        fault = null;
        if (thrown != null) {
            throw thrown;
        }
        Map<Integer, Long> again = new HashMap<>();
        for (BucketBatch batch : several) {
            batches.add(batch);
            Long after = goBack.remove(batch.bucket());
            if (after != null) {
                again.put(batch.bucket(), after);
            }
        }
        return again;
    }

    @Override
    public synchronized void reached(int bucket, long nextOffset) {
        reached.put(bucket, nextOffset);
    }

    @Override
    public synchronized void stopped(int bucket, String reason) {
        stopped.put(bucket, reason);
    }

    /** All batches of a bucket, in order. */
    public synchronized List<BucketBatch> batches(int bucket) {
        return batches.stream().filter(batch -> batch.bucket() == bucket).toList();
    }

    /** The offsets of all commands of a bucket, in the order in which they came. */
    public synchronized List<Long> offsets(int bucket) {
        return batches(bucket).stream()
                .flatMap(batch -> batch.commands().stream())
                .map(BucketBatch.Logged::offset)
                .toList();
    }

    /** Up to where a bucket was handed over, 0 when that was not told. */
    public synchronized long reached(int bucket) {
        return reached.getOrDefault(bucket, 0L);
    }

    /** Why a bucket is stopped, or null. */
    public synchronized @Nullable String stopped(int bucket) {
        return stopped.get(bucket);
    }
}
