package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out that queues have forgotten something while nothing is applied to them: {@link BucketWriter} finds out only with its next
 * batch, and an idle bucket may have none for days. Whoever finds out only says so; the thread that reads the logs asks again, and does
 * what is to be done. Thread-safe, never blocks.
 */
public final class RollbackDetector {
    private static final Logger log = LoggerFactory.getLogger(RollbackDetector.class);

    private final DeviceQueues queues;
    private final BucketPositions positions;
    private final BucketLog bucketLog;
    private final Set<Integer> all;

    /** Watches so many buckets, whose log is being read. */
    public RollbackDetector(DeviceQueues queues, BucketPositions positions, BucketLog bucketLog, int bucketCount) {
        this.queues = queues;
        this.positions = positions;
        this.bucketLog = bucketLog;
        this.all = IntStream.range(0, bucketCount).boxed().collect(Collectors.toUnmodifiableSet());
    }

    /** Compares where each bucket stands with where it was heard to stand, for a store that forgets while it is connected. */
    public void compare() {
        for (int bucket : all) {
            if (positions.isInStep(bucket)) {
                compare(bucket);
            }
        }
    }

    private void compare(int bucket) {
        // Asked before: what is applied meanwhile is no going back.
        BucketPosition before = positions.known(bucket);
        queues.position(bucket).whenComplete((now, failure) -> {
            if (failure != null) {
                log.debug("bucket {} did not say where it stands", bucket, failure);
            } else {
                found(bucket, before, now);
            }
        });
    }

    /**
     * Somebody was told where a bucket stands.
     *
     * @param before where it was known to stand when it was asked
     * @return whether it has forgotten something: then nothing it said may be relied on before its log is applied again
     */
    public boolean found(int bucket, @Nullable BucketPosition before, BucketPosition now) {
        if (!now.isBehind(before)) {
            return false;
        }
        positions.forgotten(bucket);
        bucketLog.rewind(Set.of(bucket));
        return true;
    }

    /** The store was away and is back: it may have forgotten its last seconds, also what is in no log, such as who is connected. */
    public void storeReturned() {
        bucketLog.rewind(all);
    }
}
