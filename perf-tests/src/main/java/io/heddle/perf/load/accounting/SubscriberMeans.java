package io.heddle.perf.load.accounting;

import java.util.Arrays;

/** Mean latency of each subscriber in one run; unequal means show unequal treatment by the broker. Owner: the generator's thread. */
public final class SubscriberMeans {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long[] sumNanos;
    private final long[] counts;

    /** Empty. */
    public SubscriberMeans(int subscribers) {
        this.sumNanos = new long[subscribers];
        this.counts = new long[subscribers];
    }

    public void record(int subscriber, long nanos) {
        sumNanos[subscriber] += nanos;
        counts[subscriber]++;
    }

    public void reset() {
        Arrays.fill(sumNanos, 0);
        Arrays.fill(counts, 0);
    }

    /** A percentile of the means, in milliseconds; NaN if no subscriber has received a message. */
    public double millis(double percent) {
        double[] means = new double[counts.length];
        int some = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                means[some++] = (double) sumNanos[i] / counts[i] / NANOS_PER_MILLI;
            }
        }
        if (some == 0) {
            return Double.NaN;
        }
        Arrays.sort(means, 0, some);
        return means[Math.min(some - 1, (int) (some * percent / 100))];
    }
}
