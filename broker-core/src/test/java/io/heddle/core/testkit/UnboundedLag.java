package io.heddle.core.testkit;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;

/** Positions of held buckets without bounds on their lag. */
public final class UnboundedLag {
    private UnboundedLag() {}

    /** Returns positions of buckets that are all held and whose logs are empty. */
    public static BucketPositions positions(int bucketCount) {
        BucketPositions positions = new BucketPositions(
                bucketCount,
                LagBounds.NONE,
                new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> 0),
                new SimpleMeterRegistry());
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            positions.hold(bucket);
            positions.applied(bucket, BucketBatch.NOTHING);
        }
        return positions;
    }
}
