package io.heddle.core.sys.history;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The times that messages have taken since the reading before, from the buckets of {@code heddle.delivery.latency}. Used by one thread. */
final class LatencyBuckets {
    private final MeterRegistry registry;
    // By the upper bounds of the buckets in milliseconds: the messages below.
    private Map<Double, Double> before = Map.of();

    LatencyBuckets(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The bounds of messages since the reading before, with the number of those below. */
    SortedMap<Double, Double> read() {
        SortedMap<Double, Double> sums = new TreeMap<>();
        for (Timer timer : registry.find("heddle.delivery.latency").timers()) {
            for (CountAtBucket each : timer.takeSnapshot().histogramCounts()) {
                sums.merge(each.bucket(TimeUnit.MILLISECONDS), each.count(), Double::sum);
            }
        }
        SortedMap<Double, Double> added = new TreeMap<>();
        sums.forEach((bound, count) -> added.put(bound, count - before.getOrDefault(bound, 0.0)));
        before = sums;
        return added;
    }

    /**
     * Returns the time below which this share of the messages was delivered, in milliseconds, as if the times in a bucket were spread evenly; NaN
     * without messages.
     */
    static double percentile(SortedMap<Double, Double> below, double share) {
        double total = below.isEmpty() ? 0 : below.lastEntry().getValue();
        if (total <= 0) {
            return Double.NaN;
        }
        double rank = share * total;
        double lowerBound = 0;
        double lowerCount = 0;
        for (Map.Entry<Double, Double> each : below.entrySet()) {
            if (each.getValue() >= rank) {
                double within = each.getValue() - lowerCount;
                double part = within <= 0 ? 1 : (rank - lowerCount) / within;
                return lowerBound + (each.getKey() - lowerBound) * part;
            }
            lowerBound = each.getKey();
            lowerCount = each.getValue();
        }
        return lowerBound;
    }
}
