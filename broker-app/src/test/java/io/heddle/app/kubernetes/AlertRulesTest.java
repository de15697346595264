package io.heddle.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.operator.alert.AlertRule;
import io.heddle.core.operator.alert.AlertRules;
import io.heddle.core.operator.alert.MeterSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules that the nodes evaluate are those of Prometheus. */
class AlertRulesTest {
    private static final Pattern RULE =
            Pattern.compile("- alert: (\\w+)\\n +expr: '(.*)'\\n(?: +for: (\\w+)\\n)? +labels: \\{severity: (\\w+)}");
    private static final Pattern FUNCTION = Pattern.compile("(?:rate|increase|[a-z]+_over_time)\\(");
    private static final Pattern LAST_COMPARISON = Pattern.compile("([!<>=]+) ([\\d.]+)(?: \\* ([\\d.]+))?$");

    private record PrometheusRule(String expression, Duration holds, String severity) {}

    private final Map<String, PrometheusRule> ofPrometheus = rules();

    private static Map<String, PrometheusRule> rules() {
        Map<String, PrometheusRule> rules = new LinkedHashMap<>();
        for (MatchResult each : RULE.matcher(ProjectFiles.read("k8s/helm/heddle/files/alerts.yaml"))
                .results()
                .toList()) {
            String holds = each.group(3);
            rules.put(
                    each.group(1),
                    new PrometheusRule(
                            each.group(2),
                            holds == null ? Duration.ZERO : Duration.parse("PT" + holds),
                            each.group(4).toUpperCase(Locale.ROOT)));
        }
        return rules;
    }

    @Test
    void theNodesHaveAllRulesButThoseOfPrometheusOnlyInTheSameOrder() {
        List<String> expected = new ArrayList<>(ofPrometheus.keySet());
        assertThat(expected).containsAll(AlertRules.OF_PROMETHEUS_ONLY).hasSizeGreaterThan(30);
        expected.removeAll(AlertRules.OF_PROMETHEUS_ONLY);

        assertThat(AlertRules.ALL).extracting(AlertRule::name).containsExactlyElementsOf(expected);
    }

    @Test
    void severitiesTimesMetersAndThresholdsAreTheSame() {
        for (AlertRule rule : AlertRules.ALL) {
            PrometheusRule same = ofPrometheus.get(rule.name());
            assertThat(same).as(rule.name()).isNotNull();
            if (same == null) {
                continue;
            }
            assertThat(rule.severity().name()).as(rule.name()).isEqualTo(same.severity());
            assertThat(rule.holds()).as(rule.name()).isEqualTo(same.holds());
            assertMeters(rule, rule.series(), same.expression());
            MeterSeries divisor = rule.divisor();
            if (divisor != null) {
                assertMeters(rule, divisor, same.expression());
            }
            if (!rule.window().isZero()) {
                String window = rule.window().toString().substring(2).toLowerCase(Locale.ROOT);
                assertThat(same.expression()).as(rule.name()).containsPattern("\\[" + window + "[]:]");
            }
            assertThreshold(rule, same.expression());
            assertReading(rule, same.expression());
        }
    }

    private static void assertReading(AlertRule rule, String expression) {
        String function = switch (rule.reading()) {
            case LATEST -> "";
            case MEAN -> "avg_over_time(";
            case LOWEST -> "min_over_time(";
            case BELOW_HIGHEST -> "max_over_time(";
            // Of a quotient of two increases, the time is without meaning.
            case INCREASE -> rule.divisor() == null ? "increase(" : "rate(";
            case RATE -> "rate(";
        };
        assertThat(FUNCTION.matcher(expression)
                        .results()
                        .map(MatchResult::group)
                        .collect(Collectors.toSet()))
                .as(rule.name())
                .isEqualTo(function.isEmpty() ? Set.of() : Set.of(function));
    }

    private static void assertMeters(AlertRule rule, MeterSeries series, String expression) {
        for (String each : series.names()) {
            assertThat(expression).as(rule.name()).contains(each.replace('.', '_'));
        }
        series.tags()
                .forEach((tag, pattern) -> assertThat(expression)
                        .as(rule.name())
                        .contains(tag)
                        .contains(pattern.pattern()
                                .replace("(?!", "")
                                .replace("$", "")
                                .replace(").*", "")));
        series.subject()
                .forEach(each -> assertThat(expression.contains(each) || !expression.contains(" by "))
                        .as(rule.name())
                        .isTrue());
    }

    private static void assertThreshold(AlertRule rule, String expression) {
        Matcher comparison = LAST_COMPARISON.matcher(expression);
        if (!comparison.find()) {
            // Prometheus compares two series.
            assertThat(rule.reading()).as(rule.name()).isEqualTo(AlertRule.Reading.BELOW_HIGHEST);
            return;
        }
        assertThat(rule.comparison())
                .as(rule.name())
                .isEqualTo(
                        switch (comparison.group(1)) {
                            case ">" -> AlertRule.Comparison.ABOVE;
                            case "<" -> AlertRule.Comparison.BELOW;
                            case "!=" -> AlertRule.Comparison.UNEQUAL;
                            default -> AlertRule.Comparison.EQUAL;
                        });
        String factor = comparison.group(3);
        assertThat(rule.threshold())
                .as(rule.name())
                .isEqualTo(Double.parseDouble(comparison.group(2)) * (factor == null ? 1 : Double.parseDouble(factor)));
    }

    @Test
    void theTableOfTheDocumentNamesTheRulesOfPrometheusOnly() {
        String document = ProjectFiles.read("docs/rest.md");
        String section = document.substring(document.indexOf("## Alerts"), document.indexOf("## Traces"));

        AlertRules.OF_PROMETHEUS_ONLY.forEach(each -> assertThat(section).contains("[" + each + "]("));
    }
}
