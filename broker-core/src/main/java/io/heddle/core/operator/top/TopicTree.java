package io.heddle.core.operator.top;

import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The topics with the most messages in the last half to whole minute, level by level. It has what the event loops have counted, so the topics
 * of little traffic are missing.
 *
 * @param total of all topics
 * @param listed of the topics in the tree
 * @param topics the number of these
 * @param missingNodes the nodes that have not answered
 */
public record TopicTree(Traffic total, Traffic listed, int topics, List<Branch> branches, List<String> missingNodes) {
    /** Topics with more levels have the rest of them in one branch. */
    private static final int MAXIMUM_DEPTH = 10;

    /**
     * Values a second. Each is counted apart, by a sketch of its own, and null if this has none of the topics; the sum of several topics is
     * that of the values that are known.
     */
    public record Traffic(
            @Nullable Double messagesIn,
            @Nullable Double bytesIn,
            @Nullable Double messagesOut,
            @Nullable Double bytesOut) {
        static final Traffic UNKNOWN = new Traffic(null, null, null, null);

        Traffic plus(Traffic other) {
            return new Traffic(
                    sum(messagesIn, other.messagesIn),
                    sum(bytesIn, other.bytesIn),
                    sum(messagesOut, other.messagesOut),
                    sum(bytesOut, other.bytesOut));
        }

        private static @Nullable Double sum(@Nullable Double one, @Nullable Double other) {
            if (one == null) {
                return other;
            }
            return other == null ? one : Double.valueOf(one + other);
        }

        /** Returns those that are known. */
        double messages() {
            Double sum = sum(messagesIn, messagesOut);
            return sum == null ? 0 : sum;
        }
    }

    /**
     * Topics that begin with the same levels.
     *
     * @param levels the part of the topic behind the branch above, perhaps several levels if nothing else begins with the first of them
     * @param topic all levels from the root
     * @param isTopic whether messages have exactly this topic
     * @param topics the number of the topics, itself included
     * @param traffic of all of them
     * @param branches those with the most messages first
     */
    public record Branch(
            String levels, String topic, boolean isTopic, int topics, Traffic traffic, List<Branch> branches) {
        public Branch {
            branches = List.copyOf(branches);
        }
    }

    public TopicTree {
        branches = List.copyOf(branches);
        missingNodes = List.copyOf(missingNodes);
    }

    /** Returns the tree of the topics with the most messages, at most so many. */
    public static TopicTree of(Top top, int limit) {
        Map<String, Traffic> byTopic = new HashMap<>();
        Set<String> names = new TreeSet<>();
        for (Ranking each : List.of(Ranking.TOPIC_MESSAGES_IN, Ranking.TOPIC_MESSAGES_OUT)) {
            names.addAll(top.of(each).byKey().keySet());
        }
        names.forEach(each -> byTopic.put(
                each,
                new Traffic(
                        value(top, Ranking.TOPIC_MESSAGES_IN, each),
                        value(top, Ranking.TOPIC_BYTES_IN, each),
                        value(top, Ranking.TOPIC_MESSAGES_OUT, each),
                        value(top, Ranking.TOPIC_BYTES_OUT, each))));
        Level root = new Level();
        byTopic.entrySet().stream()
                .filter(each -> each.getValue().messages() > 0)
                .sorted(Comparator.comparingDouble((Map.Entry<String, Traffic> each) ->
                                each.getValue().messages())
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(limit)
                .forEach(each -> root.add(each.getKey().split("/", MAXIMUM_DEPTH), each.getValue()));
        Traffic total = new Traffic(
                top.of(Ranking.TOPIC_MESSAGES_IN).total(),
                top.of(Ranking.TOPIC_BYTES_IN).total(),
                top.of(Ranking.TOPIC_MESSAGES_OUT).total(),
                top.of(Ranking.TOPIC_BYTES_OUT).total());
        return new TopicTree(total, root.traffic, root.topics, root.branches(""), top.missingNodes());
    }

    private static @Nullable Double value(Top top, Ranking ranking, String topic) {
        Rates rates = top.of(ranking);
        return rates.byKey().get(topic);
    }

    private static final class Level {
        private final Map<String, Level> levels = new HashMap<>();
        private boolean isTopic;
        private int topics;
        private Traffic traffic = Traffic.UNKNOWN;

        void add(String[] topic, Traffic own) {
            Level level = this;
            level.count(own);
            for (String each : topic) {
                level = level.levels.computeIfAbsent(each, _ -> new Level());
                level.count(own);
            }
            level.isTopic = true;
        }

        private void count(Traffic own) {
            topics++;
            traffic = traffic.plus(own);
        }

        /** @param above the levels from the root to this one, with a slash behind them; empty for the root */
        List<Branch> branches(String above) {
            List<Branch> branches = new ArrayList<>();
            levels.forEach((name, level) -> branches.add(level.branch(name, above)));
            branches.sort(
                    Comparator.comparingDouble((Branch each) -> each.traffic().messages())
                            .reversed()
                            .thenComparing(Branch::levels));
            return branches;
        }

        private Branch branch(String name, String above) {
            Level end = this;
            String path = name;
            while (!end.isTopic && end.levels.size() == 1) {
                Map.Entry<String, Level> only = end.levels.entrySet().iterator().next();
                path = path + "/" + only.getKey();
                end = only.getValue();
            }
            return new Branch(path, above + path, end.isTopic, topics, traffic, end.branches(above + path + "/"));
        }
    }
}
