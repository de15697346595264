package io.heddle.core.sys;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * The moving averages of one count over 1, 5 and 15 minutes, each in units a minute, like the load average of Unix: the weight of a measurement
 * falls to 1/e within the time. Belongs to one thread.
 */
final class LoadAverage {
    private static final int[] MINUTES = {1, 5, 15};
    private static final double MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final String topic;
    private final double[] averages = new double[MINUTES.length];
    private long lastTotal;
    private long lastNanos;

    /** @param total of the count now; what was counted before has no influence */
    LoadAverage(String topic, long total, long nowNanos) {
        this.topic = topic;
        this.lastTotal = total;
        this.lastNanos = nowNanos;
    }

    /** Adds the growth of the count since the last call. */
    void update(long total, long nowNanos) {
        double minutes = (nowNanos - lastNanos) / MINUTE_NANOS;
        if (minutes <= 0) {
            return;
        }
        double rate = (total - lastTotal) / minutes;
        for (int i = 0; i < averages.length; i++) {
            averages[i] = rate + Math.exp(-minutes / MINUTES[i]) * (averages[i] - rate);
        }
        lastTotal = total;
        lastNanos = nowNanos;
    }

    void addTo(Map<String, String> values) {
        for (int i = 0; i < averages.length; i++) {
            values.put(topic + "/" + MINUTES[i] + "min", String.format(Locale.ROOT, "%.2f", averages[i]));
        }
    }
}
