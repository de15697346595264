package io.heddle.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Dashboards and alert rules use metrics that exist, and docs/operations.md says what to do for each alert. */
class MonitoringTest {
    private static final String RULES = "k8s/helm/heddle/files/alerts.yaml";
    /** A rule that needs the names of the release. */
    private static final String CHART_RULES = "k8s/helm/heddle/templates/monitoring.yaml";

    private static final String DASHBOARDS = "k8s/helm/heddle/files/dashboards";
    private static final Pattern ALERT = Pattern.compile("^ +- alert: (\\w+)$", Pattern.MULTILINE);
    private static final Pattern HIKARI = Pattern.compile("hikaricp_connections(_active|_idle|_pending|_max)?");

    private final Set<String> documented = PrometheusNames.documented(ProjectFiles.read("docs/metrics.md"));

    @Test
    void everyMetricOfADashboardIsDocumented() {
        Map<String, Set<String>> unknown = new TreeMap<>();
        List<String> files = ProjectFiles.in(DASHBOARDS, ".json");
        for (String file : files) {
            List<String> expressions = PrometheusNames.ofDashboard(ProjectFiles.read(file));
            assertThat(expressions).as(file).hasSizeGreaterThan(5);
            unknown.put(file, unknown(expressions));
        }

        assertThat(files).hasSize(6);
        assertThat(unknown)
                .allSatisfy((file, names) -> assertThat(names).as(file).isEmpty());
    }

    @Test
    void everyMetricOfAnAlertIsDocumented() {
        String rules = ProjectFiles.read(RULES);

        assertThat(PrometheusNames.ofRules(rules)).hasSameSizeAs(alerts(rules));
        assertThat(unknown(PrometheusNames.ofRules(rules))).isEmpty();
    }

    @Test
    void everyAlertHasASectionInTheOperationsGuide() {
        String rules = ProjectFiles.read(RULES) + ProjectFiles.read(CHART_RULES);
        Set<String> sections = ProjectFiles.read("docs/operations.md")
                .lines()
                .filter(line -> line.startsWith("### Heddle"))
                .map(line -> line.substring("### ".length()))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(sections).isEqualTo(alerts(rules));
        assertThat(alerts(rules))
                .allSatisfy(alert -> assertThat(rules)
                        .contains("runbook: docs/operations.md#" + alert.toLowerCase(Locale.ROOT) + "\n"));
    }

    @Test
    void metricsThatAreNotDocumentedAreFound() {
        assertThat(unknown(List.of("sum by (job, reason) (rate(heddle_messages_lost_total{job=\"$job\"}[5m])) > 0")))
                .containsExactly("heddle_messages_lost_total");
        assertThat(unknown(List.of("heddel_connections / heddle_connections_total", "up == 0 and heddle_connections")))
                .containsExactly("heddel_connections", "heddle_connections_total");
    }

    @Test
    void labelsFunctionsAndStringsAreNoMetrics() {
        assertThat(PrometheusNames.usedBy(
                        "sum by (job, a_b) (rate(x_total{a=\"y_total\",b=~\"z{}\"}[$__rate_interval])) / 1e9"
                                + " or absent(up{job=\"heddle\"}) > 14 * 86400"))
                .containsExactly("x_total");
    }

    private Set<String> unknown(List<String> expressions) {
        Set<String> names = new TreeSet<>();
        expressions.forEach(expression -> names.addAll(PrometheusNames.usedBy(expression)));
        names.removeAll(documented);
        names.removeIf(HIKARI.asMatchPredicate());
        return names;
    }

    private static Set<String> alerts(String rules) {
        return ALERT.matcher(rules)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
