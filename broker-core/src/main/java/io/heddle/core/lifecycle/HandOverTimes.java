package io.heddle.core.lifecycle;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.View;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a bucket has no holder that serves it while it moves from one living node to another. Owned by the thread of {@link
 * BucketHolding}. Bound: some numbers for each bucket.
 *
 * <p>Metric: {@code heddle.cluster.handover{step}}.
 */
final class HandOverTimes {
    private static final int MAXIMUM_OF_A_SUMMARY = 10_000;

    private final LongSupplier nanoTime;
    private final Timer releases;
    private final Timer takings;
    private final @Nullable Incarnation[] holders;
    // By the bucket, in nanoseconds.
    private final Map<Integer, Long> releasing = new HashMap<>();
    private final Map<Integer, Long> released = new HashMap<>();
    // Since the last summary.
    private final List<Long> releasedNanos = new ArrayList<>();
    private final List<Long> takenNanos = new ArrayList<>();

    HandOverTimes(int bucketCount, LongSupplier nanoTime, MeterRegistry registry) {
        this.holders = new @Nullable Incarnation[bucketCount];
        this.nanoTime = nanoTime;
        this.releases = timer("release", "Releases of a bucket, from the last request that was served", registry);
        this.takings = timer("take", "Takings of a bucket that a living node has released", registry);
    }

    private static Timer timer(String step, String description, MeterRegistry registry) {
        return Timer.builder("heddle.cluster.handover")
                .description(description)
                .tag("step", step)
                .register(registry);
    }

    /** The log of nodes was read further. */
    void onView(View view) {
        for (int bucket = 0; bucket < holders.length; bucket++) {
            Incarnation before = holders[bucket];
            Incarnation now = view.holder(bucket);
            if (now == null && before != null && view.isMember(before)) {
                released.put(bucket, nanoTime.getAsLong());
            }
            holders[bucket] = now;
        }
    }

    /** This node serves no further request for a bucket. */
    void onReleasing(int bucket) {
        releasing.put(bucket, nanoTime.getAsLong());
    }

    /** This node has read back that it released a bucket. */
    void onReleased(int bucket) {
        record(bucket, releasing, releases, releasedNanos);
    }

    /** This node serves a bucket. */
    void onHeld(int bucket) {
        record(bucket, released, takings, takenNanos);
    }

    private void record(int bucket, Map<Integer, Long> since, Timer timer, List<Long> latest) {
        Long begin = since.remove(bucket);
        if (begin != null) {
            long nanos = nanoTime.getAsLong() - begin;
            timer.record(nanos, TimeUnit.NANOSECONDS);
            if (latest.size() < MAXIMUM_OF_A_SUMMARY) {
                latest.add(nanos);
            }
        }
    }

    /** Returns the times since the last summary, for the log. */
    String summary() {
        String summary = summary("released", releasedNanos) + ", " + summary("taken", takenNanos);
        releasedNanos.clear();
        takenNanos.clear();
        released.clear();
        return summary;
    }

    private static String summary(String name, List<Long> nanos) {
        if (nanos.isEmpty()) {
            return name + "=0";
        }
        List<Long> sorted = nanos.stream().sorted().toList();
        return name + "=" + sorted.size() + " (median " + TimeUnit.NANOSECONDS.toMillis(sorted.get(sorted.size() / 2))
                + " ms, maximum " + TimeUnit.NANOSECONDS.toMillis(sorted.getLast()) + " ms)";
    }
}
