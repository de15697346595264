package io.heddle.perf.load.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The report as a table: one row per figure, one column per run. */
public final class ReportTable {
    private static final int COLUMN = 12;

    private ReportTable() {}

    public static String of(Report report) {
        StringBuilder text = new StringBuilder(report.load()).append('\n');
        Set<Figures.Name> names = new LinkedHashSet<>();
        report.runs().forEach(run -> names.addAll(run.values().keySet()));
        int label =
                names.stream().mapToInt(name -> name.toString().length()).max().orElse(0);
        if (!names.isEmpty()) {
            List<String> heads = new ArrayList<>(report.phases());
            if (heads.isEmpty()) {
                for (int run = 1; run <= report.runs().size(); run++) {
                    heads.add("run " + run);
                }
                heads.addAll(List.of("median", "lowest", "highest"));
            }
            line(text, label, "", heads);
        }
        Map<Figures.Name, Spread> spreads = report.spreads();
        for (Figures.Name name : names) {
            List<String> cells = new ArrayList<>();
            report.runs().forEach(run -> cells.add(number(run.values().getOrDefault(name, Double.NaN))));
            Spread spread = spreads.get(name);
            if (spread != null) {
                cells.addAll(List.of(number(spread.median()), number(spread.lowest()), number(spread.highest())));
            }
            line(text, label, name.toString(), cells);
        }
        report.totals()
                .forEach((name, count) -> line(text, label, name, List.of(String.format(Locale.ROOT, "%,d", count))));
        for (String fault : report.faults()) {
            text.append("FAILED: ").append(fault).append('\n');
        }
        return text.toString();
    }

    private static void line(StringBuilder text, int label, String name, List<String> cells) {
        text.append(name).append(" ".repeat(Math.max(0, label - name.length())));
        for (String cell : cells) {
            text.append(' ')
                    .append(" ".repeat(Math.max(0, COLUMN - cell.length())))
                    .append(cell);
        }
        text.append('\n');
    }

    /** Formats a number with three significant digits, or as an integer. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        double size = Math.abs(value);
        int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
