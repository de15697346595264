package io.heddle.core.operator.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.operator.alert.Alert.Severity;
import io.heddle.core.operator.alert.AlertRule.Comparison;
import io.heddle.core.operator.alert.AlertRule.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that each node evaluates on its own meters, from the resource {@code rules.txt}, which describes its format. */
public final class AlertRules {
    /** The rules of Prometheus about what no node can tell of itself. */
    public static final Set<String> OF_PROMETHEUS_ONLY =
            Set.of("HeddleAbsent", "HeddleDown", "HeddleNoNodeServes", "HeddleNodeNotServing", "HeddleRestarts");

    /** All rules, in the order of those of Prometheus. */
    public static final List<AlertRule> ALL = parse(resource());

    private static final int HEAD = 4;

    private AlertRules() {}

    private static String resource() {
        try (InputStream in = Objects.requireNonNull(AlertRules.class.getResourceAsStream("rules.txt"))) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static List<AlertRule> parse(String text) {
        String rules = text.replaceAll("(?m)^#.*\\R", "").strip();
        return Arrays.stream(rules.split("\\R\\R")).map(AlertRules::rule).toList();
    }

    private static AlertRule rule(String text) {
        List<String> lines = text.lines().toList();
        List<String> head = List.of(lines.getFirst().split(" "));
        if (lines.size() != HEAD || head.size() != HEAD) {
            throw new IllegalArgumentException("not an alert rule: " + text);
        }
        Deque<String> condition = new ArrayDeque<>(List.of(lines.get(1).split(" ")));
        Reading reading = Reading.valueOf(condition.remove().toUpperCase(Locale.ROOT));
        Duration window = reading == Reading.LATEST ? Duration.ZERO : duration(condition.remove());
        MeterSeries series = MeterSeries.parse(condition.remove());
        String next = condition.remove();
        MeterSeries divisor = null;
        if (next.equals("/")) {
            divisor = MeterSeries.parse(condition.remove());
            next = condition.remove();
        }
        Comparison comparison = Comparison.of(next);
        double threshold = Double.parseDouble(condition.remove());
        return new AlertRule(
                head.getFirst(),
                Severity.valueOf(head.get(1)),
                duration(head.get(2)),
                series,
                divisor,
                reading,
                window,
                comparison,
                threshold,
                unless(condition),
                head.getLast(),
                lines.get(2),
                lines.getLast());
    }

    private static AlertRule.@Nullable Unless unless(Deque<String> rest) {
        if (rest.isEmpty()) {
            return null;
        }
        if (!rest.remove().equals("unless")) {
            throw new IllegalArgumentException("an alert rule has no exception behind its condition");
        }
        String gauge = rest.remove();
        Comparison comparison = Comparison.of(rest.remove());
        return new AlertRule.Unless(gauge, comparison, Double.parseDouble(rest.remove()));
    }

    private static Duration duration(String text) {
        return Duration.parse("PT" + text);
    }
}
