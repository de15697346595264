package io.heddle.perf.load.report;

import java.util.Arrays;
import java.util.List;

/** The values of one figure over several runs. */
public record Spread(double median, double lowest, double highest) {
    public static Spread of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("No values");
        }
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
