package io.heddle.perf.load.accounting;

import java.util.Map;
import java.util.TreeMap;

/** The missing sequence numbers of one flow. Bounded by one entry per gap. */
final class Gaps {
    // The first number of each gap, to the one after its last.
    private final TreeMap<Long, Long> endByStart = new TreeMap<>();

    void skipped(long from, long to) {
        endByStart.put(from, to);
    }

    /** Removes a number. Returns false if it was not missing. */
    boolean fill(long sequence) {
        Map.Entry<Long, Long> gap = endByStart.floorEntry(sequence);
        if (gap == null || gap.getValue() <= sequence) {
            return false;
        }
        endByStart.remove(gap.getKey());
        if (gap.getKey() < sequence) {
            endByStart.put(gap.getKey(), sequence);
        }
        if (sequence + 1 < gap.getValue()) {
            endByStart.put(sequence + 1, gap.getValue());
        }
        return true;
    }

    long missing() {
        return endByStart.entrySet().stream()
                .mapToLong(gap -> gap.getValue() - gap.getKey())
                .sum();
    }
}
