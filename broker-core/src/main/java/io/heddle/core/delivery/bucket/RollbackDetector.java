package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the queues of held buckets have rolled back. {@link BucketWriter} detects a rollback only with the next batch of a bucket,
 * and an idle bucket may have none for days. On detection the bucket log is rewound, and the applying thread queries the position and
 * replays the log. Thread-safe; never blocks.
 */
public final class RollbackDetector {
    private static final Logger log = LoggerFactory.getLogger(RollbackDetector.class);

    private final DeviceQueues queues;
    private final BucketPositions positions;
    private final BucketLog bucketLog;

    public RollbackDetector(DeviceQueues queues, BucketPositions positions, BucketLog bucketLog) {
        this.queues = queues;
        this.positions = positions;
        this.bucketLog = bucketLog;
    }

    /**
     * Compares the position of each held bucket, except those being replayed, with its last known position: a store may lose writes without
     * disconnecting.
     */
    public void checkIdleBuckets() {
        for (int bucket : positions.held()) {
            if (positions.isInStep(bucket)) {
                check(bucket);
            }
        }
    }

    private void check(int bucket) {
        // Read before the query, so that progress made meanwhile does not look like a rollback.
        BucketPosition before = positions.lastPosition(bucket);
        queues.position(bucket).whenComplete((now, failure) -> {
            if (failure != null) {
                log.debug("Cannot query the position of bucket {}", bucket, failure);
            } else {
                detect(bucket, before, now);
            }
        });
    }

    /**
     * Checks a position that a bucket has answered, and starts the replay after a rollback. A bucket that this node has released meanwhile
     * is replayed by the node that holds it.
     *
     * @param before the last known position when the bucket was queried
     * @return whether the bucket has rolled back, so that no answer of it is reliable before its log is replayed
     */
    public boolean detect(int bucket, @Nullable BucketPosition before, BucketPosition now) {
        if (!now.isBehind(before)) {
            return false;
        }
        if (positions.isHeld(bucket)) {
            positions.onRolledBack(bucket);
            bucketLog.rewind(Set.of(bucket));
        }
        return true;
    }

    /** Checks all held buckets after the store was unavailable: it may have lost recent writes and registrations of connections. */
    public void onStoreReturned() {
        bucketLog.rewind(Set.copyOf(positions.held()));
    }
}
