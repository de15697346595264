package io.heddle.core.testkit;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;

/** Positions of buckets without bounds on their lag. */
public final class UnboundedLag {
    private UnboundedLag() {}

    public static BucketPositions positions(int bucketCount) {
        return new BucketPositions(
                bucketCount,
                LagBounds.NONE,
                new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> 0),
                new SimpleMeterRegistry());
    }
}
