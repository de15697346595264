package io.heddle.perf.load.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One invocation's result.
 *
 * @param load what was run, in one line
 * @param runs the figures of each run; none when it failed before the first
 * @param phases what the runs are, where they are different parts of one measurement; empty where each repeats the other
 * @param totals counts over the whole invocation, warm-up included
 * @param faults what must not have happened, each in one sentence; empty when all is well
 */
public record Report(
        String load, List<Figures> runs, List<String> phases, Map<String, Long> totals, List<String> faults) {
    public Report {
        if (!phases.isEmpty() && phases.size() != runs.size()) {
            throw new IllegalArgumentException(phases.size() + " phases, yet figures of " + runs.size());
        }
    }

    /** Of runs that repeat each other. */
    public Report(String load, List<Figures> runs, Map<String, Long> totals, List<String> faults) {
        this(load, runs, List.of(), totals, faults);
    }

    public boolean passed() {
        return faults.isEmpty();
    }

    /** Median and spread of each figure over the runs; none over phases. */
    public Map<Figures.Name, Spread> spreads() {
        Map<Figures.Name, Spread> spreads = new LinkedHashMap<>();
        if (!runs.isEmpty() && phases.isEmpty()) {
            for (Figures.Name name : runs.getFirst().values().keySet()) {
                spreads.put(
                        name,
                        Spread.of(runs.stream()
                                .map(run -> run.values().getOrDefault(name, Double.NaN))
                                .toList()));
            }
        }
        return spreads;
    }
}
