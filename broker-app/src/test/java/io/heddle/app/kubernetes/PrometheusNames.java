package io.heddle.app.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of metrics as Prometheus knows them: those that docs/metrics.md describes, and those that PromQL expressions use. */
final class PrometheusNames {
    private static final Pattern NAME = Pattern.compile("`([a-z][a-z0-9._]*)(\\{[a-z_,]+})?`");
    private static final Pattern IN_QUOTES = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern LABELS = Pattern.compile("\\{[^}]*}|\\b(by|without|on|ignoring)\\s*\\([^)]*\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern IDENTIFIER = Pattern.compile("\\b[a-zA-Z_:][a-zA-Z0-9_:]*\\b(?!\\s*\\()");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset", "by", "without");
    /** Series that Prometheus makes itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("up", "ALERTS");

    private PrometheusNames() {}

    /** Returns all names that the metrics in the tables of a page have in Prometheus. */
    static Set<String> documented(String page) {
        Set<String> names = new TreeSet<>();
        page.lines().filter(line -> line.startsWith("| `")).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            Matcher name = NAME.matcher(cells[1]);
            while (name.find()) {
                names.addAll(inPrometheus(name.group(1), cells[2].strip()));
            }
        });
        return names;
    }

    private static List<String> inPrometheus(String metric, String kind) {
        if (metric.indexOf('.') < 0) {
            return List.of(metric);
        }
        String name = metric.replace('.', '_');
        return switch (kind) {
            case "counter" -> List.of(name + "_total");
            case "gauge" -> List.of(name, name + "_seconds");
            case "timer" -> List.of(name + "_seconds_count", name + "_seconds_sum", name + "_seconds_max");
            case "summary" -> List.of(name + "_count", name + "_sum", name + "_max");
            default -> List.of();
        };
    }

    /** Returns the names of the metrics that an expression reads, without those of Prometheus itself. */
    static Set<String> usedBy(String expression) {
        String rest = expression;
        for (Pattern removed : List.of(IN_QUOTES, LABELS, RANGE)) {
            rest = removed.matcher(rest).replaceAll(" ");
        }
        Set<String> names = new TreeSet<>();
        Matcher identifier = IDENTIFIER.matcher(rest);
        while (identifier.find()) {
            names.add(identifier.group());
        }
        names.removeAll(OPERATORS);
        names.removeAll(OF_PROMETHEUS);
        return names;
    }

    /** Returns the expressions of the panels of a Grafana dashboard, which are the JSON values named "expr". */
    static List<String> ofDashboard(String json) {
        return all(Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\""), json).stream()
                .map(each -> each.replace("\\\"", "\""))
                .toList();
    }

    /** Returns the expressions of a file with alert rules, each of which is on one line. */
    static List<String> ofRules(String yaml) {
        return all(Pattern.compile("^ +expr: '(.*)'$", Pattern.MULTILINE), yaml);
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
