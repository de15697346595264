package io.heddle.core.client;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values by key, such as messages a second by client id.
 *
 * @param total of all keys, present or not
 * @param byKey the highest values, or more of them
 */
public record Rates(double total, Map<String, Double> byKey) {
    public static final Rates NONE = new Rates(0, Map.of());

    public Rates {
        byKey = Map.copyOf(byKey);
    }

    /** Returns the sums of these values and those of other event loops or nodes. */
    public Rates plus(Rates other) {
        Map<String, Double> sums = new HashMap<>(byKey);
        other.byKey.forEach((key, value) -> sums.merge(key, value, Double::sum));
        return new Rates(total + other.total, sums);
    }

    /** Returns the highest values above 0, the highest first. */
    public List<Map.Entry<String, Double>> highest(int limit) {
        return byKey.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(limit)
                .toList();
    }
}
