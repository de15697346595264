package io.heddle.perf.load.accounting;

import org.HdrHistogram.Histogram;

/** Latencies of one run, with a precision of three digits. Owner: the generator's thread. */
public final class Latencies {
    private static final long LONGEST_NANOS = 3_600_000_000_000L;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Histogram histogram = new Histogram(LONGEST_NANOS, 3);

    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }

    public void reset() {
        histogram.reset();
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** A percentile of the latencies, in milliseconds. */
    public double millis(double percent) {
        return histogram.getValueAtPercentile(percent) / NANOS_PER_MILLI;
    }

    public double maximumMillis() {
        return histogram.getMaxValue() / NANOS_PER_MILLI;
    }

    public double meanMillis() {
        return histogram.getMean() / NANOS_PER_MILLI;
    }
}
