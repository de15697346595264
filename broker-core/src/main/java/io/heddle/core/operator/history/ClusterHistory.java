package io.heddle.core.operator.history;

import io.heddle.core.sys.history.Figure;
import io.heddle.core.sys.history.HistoryPage;
import io.heddle.core.sys.history.Range;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Figures of nodes at the same times.
 *
 * @param lastMillis the end of the time of the last values, in milliseconds since 1970; 0 without values
 * @param cluster the values of all nodes together, by the names of figures; NaN where no node has one
 * @param nodes the values of each node by its node id
 * @param missingNodes the nodes that have not answered
 */
public record ClusterHistory(
        Range range,
        long lastMillis,
        Map<String, float[]> cluster,
        Map<String, Map<String, float[]>> nodes,
        List<String> missingNodes) {
    public ClusterHistory {
        cluster = new TreeMap<>(cluster);
        nodes = new TreeMap<>(nodes);
        missingNodes = List.copyOf(missingNodes);
    }

    /** Merges what nodes have answered. */
    static ClusterHistory of(Range range, SortedMap<String, HistoryPage> pages, List<String> missingNodes) {
        long last = 0;
        for (HistoryPage page : pages.values()) {
            last = Math.max(last, page.lastMillis());
        }
        Map<String, Map<String, float[]>> nodes = new TreeMap<>();
        Map<String, Sum> sums = new TreeMap<>();
        for (Map.Entry<String, HistoryPage> each : pages.entrySet()) {
            HistoryPage page = each.getValue();
            int behind = page.lastMillis() == 0
                    ? range.length()
                    : (int) Math.min(
                            range.length(),
                            (last - page.lastMillis()) / range.step().toMillis());
            Map<String, float[]> ofNode = new TreeMap<>();
            page.series().forEach((key, values) -> {
                float[] aligned = aligned(values, behind, range.length());
                ofNode.put(key, aligned);
                sums.computeIfAbsent(key, _ -> new Sum(Figure.mergeOf(key), range.length()))
                        .add(aligned);
            });
            nodes.put(each.getKey(), ofNode);
        }
        Map<String, float[]> cluster = new TreeMap<>();
        sums.forEach((key, sum) -> cluster.put(key, sum.values()));
        return new ClusterHistory(range, last, cluster, nodes, missingNodes);
    }

    /** Moves the values of a node whose last ones are older. */
    private static float[] aligned(float[] values, int behind, int length) {
        float[] aligned = new float[length];
        Arrays.fill(aligned, Float.NaN);
        for (int i = behind; i < values.length; i++) {
            aligned[i - behind] = values[i];
        }
        return aligned;
    }

    /** The values of nodes, merged. */
    private static final class Sum {
        private static final int RECENT = 2;

        private final Figure.Merge merge;
        private final float[] sums;
        private final int[] counts;

        Sum(Figure.Merge merge, int length) {
            this.merge = merge;
            this.sums = new float[length];
            this.counts = new int[length];
        }

        void add(float[] values) {
            for (int i = 0; i < sums.length; i++) {
                if (!Float.isNaN(values[i])) {
                    sums[i] = merge == Figure.Merge.MAXIMUM && counts[i] > 0
                            ? Math.max(sums[i], values[i])
                            : sums[i] + values[i];
                    counts[i]++;
                }
            }
        }

        /** The last two values are left out until as many nodes have one as before: nodes do not record at the same moment. */
        float[] values() {
            float[] values = new float[sums.length];
            int expected = 0;
            for (int i = 0; i < values.length; i++) {
                boolean isRecent = i >= values.length - RECENT;
                expected = isRecent ? Math.max(expected, counts[i]) : counts[i];
                values[i] = counts[i] < expected || counts[i] == 0
                        ? Float.NaN
                        : merge == Figure.Merge.MEAN ? sums[i] / counts[i] : sums[i];
            }
            return values;
        }
    }
}
