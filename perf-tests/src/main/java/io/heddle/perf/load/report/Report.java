package io.heddle.perf.load.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one invocation.
 *
 * @param load one line that describes the load
 * @param runs the figures of each run; empty if the load failed before the first
 * @param phases the names of the runs if they are phases of one measurement; empty if they are repetitions
 * @param totals counts of the whole invocation, including the warm-up
 * @param faults one sentence for each fault
 */
public record Report(
        String load, List<Figures> runs, List<String> phases, Map<String, Long> totals, List<String> faults) {
    public Report {
        if (!phases.isEmpty() && phases.size() != runs.size()) {
            throw new IllegalArgumentException(phases.size() + " phases, but figures of " + runs.size());
        }
    }

    /** The result of repeated runs. */
    public Report(String load, List<Figures> runs, Map<String, Long> totals, List<String> faults) {
        this(load, runs, List.of(), totals, faults);
    }

    public boolean passed() {
        return faults.isEmpty();
    }

    /** The median and spread of each figure over repeated runs; empty for phases. */
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
