package io.heddle.perf.load.accounting;

import java.util.Locale;
import java.util.Map;

/** Counts of received reason codes. Owner: one thread. */
public final class CodeCounts {
    private static final int FIRST_ERROR_CODE = 0x80;

    private final String name;
    private final long[] counts = new long[256];

    /** Counts codes in packets of this type. */
    public CodeCounts(String name) {
        this.name = name;
    }

    public void count(int code) {
        counts[code]++;
    }

    /** The number of success codes. */
    public long accepted() {
        long accepted = 0;
        for (int code = 0; code < FIRST_ERROR_CODE; code++) {
            accepted += counts[code];
        }
        return accepted;
    }

    /** Adds the counts of error codes, each name with a prefix. */
    public void addTo(Map<String, Long> totals, String prefix) {
        for (int code = FIRST_ERROR_CODE; code < counts.length; code++) {
            if (counts[code] > 0) {
                totals.put(String.format(Locale.ROOT, "%s%s 0x%02X", prefix, name, code), counts[code]);
            }
        }
    }
}
