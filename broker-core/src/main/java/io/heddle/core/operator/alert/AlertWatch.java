package io.heddle.core.operator.alert;

import io.heddle.core.operator.alert.AlertRule.Reading;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Evaluates the rules on the meters of this node. One thread evaluates, every {@link #INTERVAL}; any thread reads what fires. Bounds: the
 * first {@value #MAXIMUM_SUBJECTS} subjects of each rule that remembers samples, in the order of their names; the meters of the other
 * rules; {@value #MAXIMUM_SUBJECTS} alerts of each rule.
 */
public final class AlertWatch {
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    static final int MAXIMUM_SUBJECTS = 50;

    private final MeterRegistry registry;
    private final List<AlertRule> rules;
    private final Set<String> meterNames = new HashSet<>();
    private final LongSupplier nanoTime;
    // Of the evaluating thread.
    private final Map<String, Map<String, SubjectSamples>> subjects = new HashMap<>();
    private boolean hasEvaluated;
    private long evaluatedNanos;
    // Replaced, never changed.
    private volatile List<Firing> firing = List.of();

    private record Firing(AlertRule rule, long sinceNanos, String summary) {}

    /** @param nanoTime the monotonic clock, in nanoseconds */
    public AlertWatch(MeterRegistry registry, LongSupplier nanoTime) {
        this(registry, AlertRules.ALL, nanoTime);
    }

    AlertWatch(MeterRegistry registry, List<AlertRule> rules, LongSupplier nanoTime) {
        this.registry = registry;
        this.rules = rules;
        rules.forEach(each -> meterNames.addAll(each.meterNames()));
        this.nanoTime = nanoTime;
    }

    public void evaluate() {
        long nanos = nanoTime.getAsLong();
        Map<String, List<Meter>> meters = meters();
        List<Firing> found = new ArrayList<>();
        for (AlertRule rule : rules) {
            evaluate(rule, meters, subjects.computeIfAbsent(rule.name(), _ -> new HashMap<>()), nanos, found);
        }
        firing = List.copyOf(found);
        evaluatedNanos = nanos;
        hasEvaluated = true;
    }

    /** Returns the meters of the rules by name. One pass: a search of the registry visits all its meters. */
    private Map<String, List<Meter>> meters() {
        Map<String, List<Meter>> found = new HashMap<>();
        registry.forEachMeter(meter -> {
            String name = meter.getId().getName();
            if (meterNames.contains(name)) {
                found.computeIfAbsent(name, _ -> new ArrayList<>()).add(meter);
            }
        });
        return found;
    }

    private void evaluate(
            AlertRule rule,
            Map<String, List<Meter>> meters,
            Map<String, SubjectSamples> known,
            long nanos,
            List<Firing> found) {
        Map<String, Double> values = rule.series().read(meters);
        Map<String, Double> divisors =
                rule.divisor() == null ? Map.of() : rule.divisor().read(meters);
        boolean isException = rule.unless() != null && rule.unless().applies(meters);
        forget(rule, known, values.keySet());
        List<Firing> ofRule = new ArrayList<>();
        values.forEach((subject, value) -> {
            if (rule.reading() != Reading.LATEST && known.size() >= MAXIMUM_SUBJECTS && !known.containsKey(subject)) {
                return;
            }
            SubjectSamples samples = known.computeIfAbsent(subject, _ -> begin(rule));
            samples.add(nanos, value, rule.divisor() == null ? 1 : divisors.getOrDefault(subject, Double.NaN));
            if (isException) {
                samples.stop();
            }
            if (samples.isFiring(nanos)) {
                ofRule.add(new Firing(rule, samples.holdsSinceNanos(), samples.summary(subject)));
            }
        });
        ofRule.stream().limit(MAXIMUM_SUBJECTS).forEach(found::add);
    }

    /** A subject that has samples keeps its place: if it comes back, its total is no increase since then. */
    private static void forget(AlertRule rule, Map<String, SubjectSamples> known, Set<String> present) {
        if (rule.reading() == Reading.LATEST) {
            known.keySet().retainAll(present);
            return;
        }
        known.forEach((subject, samples) -> {
            if (!present.contains(subject)) {
                samples.stop();
            }
        });
    }

    /** Some counters exist only once they have counted something: then they were 0 before. */
    private SubjectSamples begin(AlertRule rule) {
        SubjectSamples samples = new SubjectSamples(rule);
        if (hasEvaluated && (rule.reading() == Reading.INCREASE || rule.reading() == Reading.RATE)) {
            samples.add(evaluatedNanos, 0, 0);
        }
        return samples;
    }

    /** Returns the alerts that fire at this node, in the order of the rules. */
    public List<Alert> alerts() {
        long nanos = nanoTime.getAsLong();
        return firing.stream()
                .map(each -> new Alert(
                        each.rule.name(),
                        each.rule.severity(),
                        Duration.ofNanos(nanos - each.sinceNanos),
                        each.summary,
                        each.rule.remedy(),
                        each.rule.page()))
                .toList();
    }
}
