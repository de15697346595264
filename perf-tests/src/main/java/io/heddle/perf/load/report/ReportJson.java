package io.heddle.perf.load.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The report as JSON. */
public final class ReportJson {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ReportJson() {}

    private record Document(
            String load,
            boolean passed,
            List<Map<String, @Nullable Double>> runs,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> phases,
            Map<String, Map<String, @Nullable Double>> spread,
            Map<String, Long> totals,
            List<String> faults) {}

    public static String of(Report report) {
        Map<String, Map<String, @Nullable Double>> spreads = new LinkedHashMap<>();
        report.spreads().forEach((name, spread) -> {
            Map<String, @Nullable Double> values = new LinkedHashMap<>();
            values.put("median", numberOrNull(spread.median()));
            values.put("lowest", numberOrNull(spread.lowest()));
            values.put("highest", numberOrNull(spread.highest()));
            spreads.put(name.toString(), values);
        });
        return JSON.writeValueAsString(new Document(
                report.load(),
                report.passed(),
                report.runs().stream().map(ReportJson::values).toList(),
                report.phases(),
                spreads,
                report.totals(),
                report.faults()));
    }

    private static Map<String, @Nullable Double> values(Figures run) {
        Map<String, @Nullable Double> values = new LinkedHashMap<>();
        run.values().forEach((name, value) -> values.put(name.toString(), numberOrNull(value)));
        return values;
    }

    /** JSON has no NaN. */
    private static @Nullable Double numberOrNull(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
