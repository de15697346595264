package io.heddle.core.operator.alert;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** The latest samples of one subject of a rule. Owned by the thread that evaluates. Bound: the samples of the window of the rule. */
final class SubjectSamples {
    private static final MathContext DIGITS = new MathContext(3);

    private final AlertRule rule;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private boolean isHolding;
    private long holdsSinceNanos;

    private record Sample(long nanos, double value, double divisor) {
        double quotient() {
            return value / divisor;
        }
    }

    SubjectSamples(AlertRule rule) {
        this.rule = rule;
    }

    /** @param divisor 1 for a rule without one */
    void add(long nanos, double value, double divisor) {
        samples.addLast(new Sample(nanos, value, divisor));
        while (nanos - samples.getFirst().nanos > rule.window().toNanos()) {
            samples.removeFirst();
        }
        boolean holds = rule.comparison().holds(value(), rule.threshold());
        if (holds && !isHolding) {
            holdsSinceNanos = nanos;
        }
        isHolding = holds;
    }

    /** The condition does not hold, whatever the value. */
    void stop() {
        isHolding = false;
    }

    boolean isFiring(long nanos) {
        return isHolding && nanos - holdsSinceNanos >= rule.holds().toNanos();
    }

    long holdsSinceNanos() {
        return holdsSinceNanos;
    }

    /** NaN, which meets no condition, if there is no value. */
    double value() {
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        return switch (rule.reading()) {
            case LATEST -> last.quotient();
            case MEAN ->
                samples.stream().mapToDouble(Sample::quotient).average().orElse(Double.NaN);
            case LOWEST -> samples.stream().mapToDouble(Sample::quotient).min().orElse(Double.NaN);
            case BELOW_HIGHEST ->
                samples.stream().mapToDouble(Sample::quotient).max().orElse(Double.NaN) - last.quotient();
            case INCREASE ->
                rule.divisor() == null
                        ? last.value - first.value
                        : (last.value - first.value) / (last.divisor - first.divisor);
            case RATE ->
                last.nanos == first.nanos
                        ? 0
                        : (last.value - first.value)
                                / ((double) (last.nanos - first.nanos) / TimeUnit.SECONDS.toNanos(1));
        };
    }

    String summary(String subject) {
        double value = value();
        return rule.summary()
                .replace("{subject}", subject)
                .replace("{value}", number(value))
                .replace("{percent}", Math.round(value * 100) + " %")
                .replace("{time}", time(value));
    }

    private static String number(double value) {
        return Math.abs(value) >= 10 || Double.compare(value, Math.rint(value)) == 0
                ? Long.toString(Math.round(value))
                : BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    private static String time(double seconds) {
        Duration time = Duration.ofMillis(Math.round(seconds * 1_000));
        if (time.compareTo(Duration.ofDays(2)) >= 0) {
            return time.toDays() + " days";
        }
        if (time.compareTo(Duration.ofHours(2)) >= 0) {
            return time.toHours() + " hours";
        }
        return time.compareTo(Duration.ofMinutes(2)) >= 0 ? time.toMinutes() + " minutes" : number(seconds) + " s";
    }
}
