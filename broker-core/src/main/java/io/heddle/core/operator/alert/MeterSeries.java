package io.heddle.core.operator.alert;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleBinaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The values of some meters by the tags that tell their subjects apart. Times are in seconds. Immutable.
 *
 * @param names of the meters
 * @param tags what their tags must match
 * @param subject the tags that make up the name of a subject; without any, all meters are one with an empty name
 * @param join of the values of one subject
 * @param isCount whether the value of a timer is its count, not its total time
 */
public record MeterSeries(
        List<String> names,
        Map<String, Pattern> tags,
        List<String> subject,
        DoubleBinaryOperator join,
        boolean isCount) {
    /** Parses the format of {@code rules.txt}. */
    static MeterSeries parse(String text) {
        int brace = text.indexOf('{');
        List<String> names = List.of((brace < 0 ? text : text.substring(0, brace)).split("\\+"));
        Map<String, Pattern> tags = new HashMap<>();
        List<String> subject = List.of();
        DoubleBinaryOperator join = Double::sum;
        boolean isCount = false;
        for (String part : brace < 0
                ? new String[0]
                : text.substring(brace + 1, text.length() - 1).split(";")) {
            int tilde = part.indexOf('~');
            if (part.equals("max")) {
                join = Math::max;
            } else if (part.equals("min")) {
                join = Math::min;
            } else if (part.equals("count")) {
                isCount = true;
            } else if (part.startsWith("by~")) {
                subject = List.of(part.substring(tilde + 1).split("\\+"));
            } else {
                tags.put(part.substring(0, tilde), Pattern.compile(part.substring(tilde + 1)));
            }
        }
        return new MeterSeries(names, Map.copyOf(tags), subject, join, isCount);
    }

    /**
     * Returns the values by subject, in the order of the names of these. Meters without a value are left out.
     *
     * @param meters by name
     */
    Map<String, Double> read(Map<String, List<Meter>> meters) {
        Map<String, Double> values = new TreeMap<>();
        for (String name : names) {
            for (Meter meter : meters.getOrDefault(name, List.of())) {
                double value = value(meter);
                if (!Double.isNaN(value) && isChosen(meter.getId())) {
                    values.merge(subjectOf(meter.getId()), value, join::applyAsDouble);
                }
            }
        }
        return values;
    }

    private boolean isChosen(Meter.Id id) {
        return tags.entrySet().stream().allMatch(each -> {
            String value = id.getTag(each.getKey());
            return value != null && each.getValue().matcher(value).matches();
        });
    }

    private String subjectOf(Meter.Id id) {
        return subject.stream()
                .map(each -> Objects.requireNonNullElse(id.getTag(each), ""))
                .collect(Collectors.joining(" "));
    }

    private double value(Meter meter) {
        return switch (meter) {
            case TimeGauge gauge -> gauge.value(TimeUnit.SECONDS);
            case Gauge gauge -> gauge.value();
            case Counter counter -> counter.count();
            case FunctionCounter counter -> counter.count();
            case Timer timer -> isCount ? (double) timer.count() : timer.totalTime(TimeUnit.SECONDS);
            default -> Double.NaN;
        };
    }
}
