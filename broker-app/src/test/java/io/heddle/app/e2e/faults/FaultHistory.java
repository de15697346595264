package io.heddle.app.e2e.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The faults of a run, and how long its clients were without service. One test thread. */
final class FaultHistory {
    private static final Logger log = LoggerFactory.getLogger(FaultHistory.class);

    private record Figures(Duration median, Duration longest) {}

    private final List<String> lines = new ArrayList<>();
    private final Map<String, List<Figures>> figures = new TreeMap<>();

    /** @param withoutService the longest time without service of each client */
    void add(Fault fault, String what, Map<String, Duration> withoutService) {
        List<Map.Entry<String, Duration>> sorted = withoutService.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .toList();
        Figures of = new Figures(
                sorted.get(sorted.size() / 2).getValue(), sorted.getLast().getValue());
        String kind = fault.network() == null ? fault.kind().toString() : "two faults at once";
        figures.computeIfAbsent(kind, _ -> new ArrayList<>()).add(of);
        String line = (lines.size() + 1) + ". " + fault + " (" + what + "): without service for "
                + seconds(of.median()) + " s (median), " + seconds(of.longest()) + " s (maximum, "
                + sorted.getLast().getKey() + ")";
        lines.add(line);
        log.info("{}", line);
    }

    /** A fault begins, which may be the last one. */
    void begin(Fault fault) {
        log.info("Begin fault {}: {}", lines.size() + 1, fault);
    }

    private static String seconds(Duration time) {
        return "%.1f".formatted(time.toMillis() / 1_000.0);
    }

    /** Returns the median and the maximum of each kind of fault. */
    String summary() {
        return figures.entrySet().stream()
                .map(each -> {
                    List<Figures> of = each.getValue();
                    List<Duration> medians =
                            of.stream().map(Figures::median).sorted().toList();
                    Duration longest = of.stream()
                            .map(Figures::longest)
                            .max(Duration::compareTo)
                            .orElseThrow();
                    return each.getKey() + ": " + of.size() + " faults, without service for "
                            + seconds(medians.get(medians.size() / 2)) + " s (median), " + seconds(longest)
                            + " s (maximum)";
                })
                .collect(Collectors.joining("\n"));
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
