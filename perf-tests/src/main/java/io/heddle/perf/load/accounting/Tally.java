package io.heddle.perf.load.accounting;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Counts by name, in the order of their first occurrence. Owner: one thread. Bounded by the number of names. */
public final class Tally {
    private static final int MAXIMUM_NAMES = 100;
    private static final String OTHER = "other";

    private final Map<String, Long> counts = new LinkedHashMap<>();

    public void count(String name) {
        add(name, 1);
    }

    /** Counts a reason code, {@code "PUBACK 0x97"}. */
    public void count(String name, int code) {
        add(String.format(Locale.ROOT, "%s 0x%02X", name, code), 1);
    }

    public void add(String name, long count) {
        String counted = counts.size() < MAXIMUM_NAMES || counts.containsKey(name) ? name : OTHER;
        counts.merge(counted, count, Long::sum);
    }

    public long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Adds all counts, each name with a prefix. */
    public void addTo(Map<String, Long> totals, String prefix) {
        counts.forEach((name, count) -> totals.put(prefix + name, count));
    }
}
