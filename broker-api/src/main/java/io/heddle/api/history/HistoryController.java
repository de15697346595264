package io.heddle.api.history;

import io.heddle.api.problem.FieldProblems;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.history.ClusterHistory;
import io.heddle.core.sys.history.Figure;
import io.heddle.core.sys.history.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the figures of the nodes during the last hour or day. */
@RestController
public final class HistoryController {
    private static final int MAXIMUM_FIGURES = 50;
    private static final String NAMES =
            Stream.of(Figure.values()).map(Figure::key).collect(Collectors.joining(", "));

    private final Node node;
    private final RecentAnswers<Question, HistoryResponse> recent = new RecentAnswers<>(System::nanoTime);

    private record Question(Range range, Set<String> figures) {}

    public HistoryController(Node node) {
        this.node = node;
    }

    /** @param figures their names, separated by commas; all without it */
    @GetMapping("/api/v1/history")
    HistoryResponse history(
            @RequestParam(defaultValue = "hour") String range,
            @RequestParam(required = false) @Nullable String figures) {
        FieldProblems problems = new FieldProblems();
        problems.require(range.equals("hour") || range.equals("day"), "range", "Use hour or day.");
        Set<String> names = figures == null ? Set.of() : new TreeSet<>(List.of(figures.split(",", -1)));
        problems.require(
                names.size() <= MAXIMUM_FIGURES && names.stream().allMatch(HistoryController::isFigure),
                "figures",
                "Use names separated by commas: " + NAMES + ", " + Figure.ALL_DROPPED + " for all reasons, or "
                        + Figure.DROPPED + " and a reason.");
        problems.throwIfAny();
        Question question = new Question(range.equals("hour") ? Range.HOUR : Range.DAY, names);
        return recent.get(question, () -> HistoryResponse.of(node.history(question.range(), question.figures())));
    }

    private static boolean isFigure(String name) {
        return name.equals(Figure.ALL_DROPPED)
                || name.startsWith(Figure.DROPPED)
                || Stream.of(Figure.values()).anyMatch(each -> each.key().equals(name));
    }

    /**
     * Figures at the same times.
     *
     * @param end of the time of the last values; null without values
     * @param cluster the values of all nodes together, by figure, in the order of time; null where there is none
     * @param nodes the values of each node
     */
    record HistoryResponse(
            @Nullable Instant end,
            long stepSeconds,
            Map<String, List<@Nullable Double>> cluster,
            List<NodeHistoryResponse> nodes,
            List<String> missingNodes) {
        static HistoryResponse of(ClusterHistory history) {
            return new HistoryResponse(
                    history.lastMillis() == 0 ? null : Instant.ofEpochMilli(history.lastMillis()),
                    history.range().step().toSeconds(),
                    series(history.cluster()),
                    history.nodes().entrySet().stream()
                            .map(each -> new NodeHistoryResponse(each.getKey(), series(each.getValue())))
                            .toList(),
                    history.missingNodes());
        }

        private static Map<String, List<@Nullable Double>> series(Map<String, float[]> figures) {
            Map<String, List<@Nullable Double>> series = new TreeMap<>();
            figures.forEach((name, values) -> {
                List<@Nullable Double> rounded = new ArrayList<>(values.length);
                for (float value : values) {
                    rounded.add(Float.isNaN(value) ? null : Double.valueOf(Math.round(value * 1_000.0) / 1_000.0));
                }
                series.put(name, rounded);
            });
            return series;
        }
    }

    record NodeHistoryResponse(String node, Map<String, List<@Nullable Double>> figures) {}
}
