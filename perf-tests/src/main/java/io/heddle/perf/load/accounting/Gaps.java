package io.heddle.perf.load.accounting;

import java.util.Map;
import java.util.TreeMap;

/** The sequence numbers of one flow that were skipped and have not come since. Bounded by one entry per skip. */
final class Gaps {
    // First number of each gap to the one behind its last.
    private final TreeMap<Long, Long> endByStart = new TreeMap<>();

    void skipped(long from, long to) {
        endByStart.put(from, to);
    }

    /** Takes a number out; false when it was not missing. */
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
