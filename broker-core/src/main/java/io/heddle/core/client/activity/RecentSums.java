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

    private final long startNanos;
    private SpaceSaving current = new SpaceSaving();
    private SpaceSaving before = new SpaceSaving();
    private long total;
    private long totalBefore;
    // The number of the current window since the start.
    private long window;

    /** @param startNanos the time at which the first window of all event loops begins, so that their rates can be added */
    RecentSums(long startNanos) {
        this.startNanos = startNanos;
    }

    void add(String key, long weight, long nanos) {
        turn(nanos);
        current.add(key, weight);
        total += weight;
    }

    private void turn(long nanos) {
        long now = (nanos - startNanos) / WINDOW_NANOS;
        if (now == window) {
            return;
        }
        SpaceSaving oldest = before;
        before = current;
        totalBefore = total;
        current = oldest;
        current.clear();
        total = 0;
        if (now > window + 1) {
            before.clear();
            totalBefore = 0;
        }
        window = now;
    }

    /** Returns the sums of both windows by their duration. */
    Rates perSecond(long nanos) {
        turn(nanos);
        long begunNanos = Math.max(0, window - 1) * WINDOW_NANOS;
        double seconds = Math.max(1, (nanos - startNanos - begunNanos) / 1e9);
        Map<String, Double> rates = new HashMap<>();
        before.forEach((key, sum) -> rates.merge(key, sum / seconds, Double::sum));
        current.forEach((key, sum) -> rates.merge(key, sum / seconds, Double::sum));
        return new Rates((total + totalBefore) / seconds, rates);
    }
}
