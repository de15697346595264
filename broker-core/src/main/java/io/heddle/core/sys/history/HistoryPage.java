package io.heddle.core.sys.history;

import java.util.Map;
import java.util.TreeMap;

/**
 * The values of figures in a range.
 *
 * @param lastMillis the end of the time of the last values, in milliseconds since 1970; 0 before the first ones
 * @param series the values of each figure in the order of time, NaN where there is none
 */
public record HistoryPage(Range range, long lastMillis, Map<String, float[]> series) {
    public HistoryPage {
        series = new TreeMap<>(series);
    }
}
