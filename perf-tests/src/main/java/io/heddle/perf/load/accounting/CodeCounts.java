package io.heddle.perf.load.accounting;

import java.util.Locale;
import java.util.Map;

/** How often each reason code came. Owner: one thread. */
public final class CodeCounts {
    private static final int FIRST_ERROR_CODE = 0x80;

    private final String name;
    private final long[] counts = new long[256];

    /** Of packets with that name. */
    public CodeCounts(String name) {
        this.name = name;
    }

    public void count(int code) {
        counts[code]++;
    }

    /** The packets that are no errors. */
    public long accepted() {
        long accepted = 0;
        for (int code = 0; code < FIRST_ERROR_CODE; code++) {
            accepted += counts[code];
        }
        return accepted;
    }

    /** Adds the errors by code, each name behind a prefix. */
    public void addTo(Map<String, Long> totals, String prefix) {
        for (int code = FIRST_ERROR_CODE; code < counts.length; code++) {
            if (counts[code] > 0) {
                totals.put(String.format(Locale.ROOT, "%s%s 0x%02X", prefix, name, code), counts[code]);
            }
        }
    }
}
