package io.heddle.core.client.activity;

import io.heddle.core.HotPath;
import io.heddle.core.client.Rates;
import java.util.HashMap;
import java.util.Map;

/**
 * The highest sums of the window of {@value #WINDOW_SECONDS} seconds that is under way and of the one before it. Owned by an event loop. Bound:
 * {@value SpaceSaving#CAPACITY} keys a window.
 */
@HotPath
final class RecentSums {
    static final int WINDOW_SECONDS = 30;

    private static final long WINDOW_NANOS = WINDOW_SECONDS * 1_000_000_000L;

    private SpaceSaving current = new SpaceSaving();
    private SpaceSaving before = new SpaceSaving();
    private long total;
    private long totalBefore;
    private long currentNanos;
    private long beforeNanos;

    RecentSums(long nanos) {
        currentNanos = nanos;
        beforeNanos = nanos;
    }

    void add(String key, long weight, long nanos) {
        if (nanos - currentNanos >= WINDOW_NANOS) {
            begin(nanos);
        }
        current.add(key, weight);
        total += weight;
    }

    private void begin(long nanos) {
        boolean isLate = nanos - currentNanos >= 2 * WINDOW_NANOS;
        SpaceSaving oldest = before;
        before = current;
        current = oldest;
        current.clear();
        totalBefore = total;
        total = 0;
        beforeNanos = currentNanos;
        currentNanos = nanos;
        if (isLate) {
            // Both windows are over.
            before.clear();
            totalBefore = 0;
            beforeNanos = nanos - WINDOW_NANOS;
        }
    }

    /** Returns the sums of both windows by their duration. */
    Rates perSecond(long nanos) {
        if (nanos - currentNanos >= WINDOW_NANOS) {
            begin(nanos);
        }
        double seconds = Math.max(1, (nanos - beforeNanos) / 1e9);
        Map<String, Double> rates = new HashMap<>();
        before.forEach((key, sum) -> rates.merge(key, sum / seconds, Double::sum));
        current.forEach((key, sum) -> rates.merge(key, sum / seconds, Double::sum));
        return new Rates((total + totalBefore) / seconds, rates);
    }
}
