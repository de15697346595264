package io.heddle.perf.load.flood;

import java.util.ArrayList;
import java.util.List;

/**
 * Filters over retained messages whose topics are a root of two levels and two levels of numbers. Each filter matches all of them,
 * or none although a broker has to look at all.
 */
final class RetainedFilters {
    /** Different filters that match everything. */
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
     * Each number of levels in front of {@code #}, each level of the root by its name or by {@code +}; but none that matches every
     * topic of two levels, which the well-behaved clients use.
     */
    private static List<String> everything(String root) {
        String[] names = root.split("/", -1);
        if (names.length != ROOT_LEVELS) {
            throw new IllegalArgumentException("'" + root + "' has not two levels");
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
