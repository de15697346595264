package io.heddle.perf.load.flood;

import java.util.ArrayList;
import java.util.List;

/**
 * Filters for retained messages whose topics are a root of two levels and two levels of numbers. Each filter matches all messages, or none,
 * although the broker has to visit all of them.
 */
final class RetainedFilters {
    /** The number of different filters that match everything. */
    static final int MAXIMUM_MATCHING = 12;

    private static final int ROOT_LEVELS = 2;
    private static final int LEVELS = 4;

    private RetainedFilters() {}

    static List<String> of(String root, int count, int matching) {
        List<String> filters = new ArrayList<>(everything(root).subList(0, Math.min(matching, count)));
        for (int i = 0; filters.size() < count; i++) {
            filters.add(root + "/+/+/none-" + i);
        }
        return filters;
    }

    /**
     * All filters with {@code #} after any number of levels, each root level by its name or {@code +}. Filters that match every topic of
     * two levels are excluded, because the well-behaved clients use such topics.
     */
    private static List<String> everything(String root) {
        String[] names = root.split("/", -1);
        if (names.length != ROOT_LEVELS) {
            throw new IllegalArgumentException("'" + root + "' does not have two levels");
        }
        List<String> filters = new ArrayList<>();
        for (int levels = LEVELS; levels >= 0; levels--) {
            int named = Math.min(levels, ROOT_LEVELS);
            for (int wild = 0; wild < 1 << named; wild++) {
                if (levels <= ROOT_LEVELS && wild == (1 << named) - 1) {
                    continue;
                }
                StringBuilder filter = new StringBuilder();
                for (int level = 0; level < levels; level++) {
                    boolean byName = level < named && (wild & (1 << level)) == 0;
                    filter.append(byName ? names[level] : "+").append('/');
                }
                filters.add(filter.append('#').toString());
            }
        }
        return filters;
    }
}
