package io.heddle.core.operator.alert;

import io.heddle.core.operator.alert.Alert.Severity;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the meters of a node that people should know of.
 *
 * @param name that of the rule for Prometheus
 * @param holds how long the condition must hold before the alert fires
 * @param divisor by whose value that of the series is divided; null for none
 * @param reading the function of the samples in the window
 * @param window ends now; zero if only the latest sample counts
 * @param unless null for none
 * @param page the address of a page of the console, without the host
 * @param summary a sentence in which {@code {subject}} stands for the subject, and {@code {value}}, {@code {percent}} or {@code {time}} for the value
 * @param remedy what to do
 */
public record AlertRule(
        String name,
        Severity severity,
        Duration holds,
        MeterSeries series,
        @Nullable MeterSeries divisor,
        Reading reading,
        Duration window,
        Comparison comparison,
        double threshold,
        @Nullable Unless unless,
        String page,
        String summary,
        String remedy) {
    /** The function of the samples in the window. */
    public enum Reading {
        LATEST,
        MEAN,
        LOWEST,
        /** By how much the latest one is below the highest one. */
        BELOW_HIGHEST,
        /** Of a number that only rises. */
        INCREASE,
        /** The increase a second. */
        RATE
    }

    public enum Comparison {
        ABOVE(">"),
        BELOW("<"),
        AT_MOST("<="),
        EQUAL("="),
        UNEQUAL("!=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        static Comparison of(String sign) {
            for (Comparison each : values()) {
                if (each.sign.equals(sign)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("not a comparison of an alert rule: " + sign);
        }

        /** NaN meets no comparison. */
        boolean holds(double value, double threshold) {
            return switch (this) {
                case ABOVE -> value > threshold;
                case BELOW -> value < threshold;
                case AT_MOST -> value <= threshold;
                case EQUAL -> Double.compare(value, threshold) == 0;
                case UNEQUAL -> value < threshold || value > threshold;
            };
        }
    }

    /** A gauge whose value keeps the condition from holding. */
    public record Unless(String gauge, Comparison comparison, double threshold) {
        /** @param meters by name */
        boolean applies(Map<String, List<Meter>> meters) {
            return meters.getOrDefault(gauge, List.of()).stream()
                    .anyMatch(each -> each instanceof Gauge found && comparison.holds(found.value(), threshold));
        }
    }

    /** Returns the names of the meters whose values the rule needs. */
    List<String> meterNames() {
        List<String> names = new ArrayList<>(series.names());
        if (divisor != null) {
            names.addAll(divisor.names());
        }
        if (unless != null) {
            names.add(unless.gauge());
        }
        return names;
    }
}
