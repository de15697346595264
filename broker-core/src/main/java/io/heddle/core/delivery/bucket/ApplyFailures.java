package io.heddle.core.delivery.bucket;

import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs failures to apply the bucket logs. Belongs to the applying thread; any thread may read the last failure. Bound: lasting
 * failures of all buckets together are logged at most every {@value #LOG_PAUSE_MILLIS} ms.
 */
final class ApplyFailures {
    private static final Logger log = LoggerFactory.getLogger(ApplyFailures.class);

    private static final long LOG_PAUSE_MILLIS = 5_000;

    private final SteadyClock clock;
    private final Counter failures;
    private long loggedMillis = Long.MIN_VALUE / 2;
    private volatile @Nullable String last;

    ApplyFailures(SteadyClock clock, MeterRegistry metrics) {
        this.clock = clock;
        this.failures = metrics.counter("heddle.buckets.apply.failures");
    }

    /** The message of the last failure, or null. Any thread. */
    @Nullable
    String last() {
        return last;
    }

    /** Counts a batch that the queues rejected. */
    void countRejection() {
        failures.increment();
    }

    /** Records a failed step that is retried after a pause. */
    void record(int bucket, Throwable failure, long pauseMillis) {
        failures.increment();
        last = failure.getMessage();
        log.debug("Cannot apply the log of bucket {}; retrying in {} ms", bucket, pauseMillis, failure);
        // Short outages of the store are not logged.
        long nowMillis = clock.millis();
        if (pauseMillis == BucketChain.LONGEST_PAUSE_MILLIS && nowMillis - loggedMillis >= LOG_PAUSE_MILLIS) {
            loggedMillis = nowMillis;
            log.warn(
                    "Cannot apply the log of bucket {} to its queues in Redis; messages stay in Kafka, retrying every {} s (other"
                            + " buckets may fail, too): {}",
                    bucket,
                    pauseMillis / 1_000,
                    failure.toString());
        }
    }
}
