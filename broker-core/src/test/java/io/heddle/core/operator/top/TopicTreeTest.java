package io.heddle.core.operator.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.operator.top.TopicTree.Branch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TopicTreeTest {
    private static final int MANY = 1_000;

    private static TopicTree tree(Map<String, Double> in, Map<String, Double> out, int limit) {
        return TopicTree.of(
                new Top(
                        Map.of(
                                Ranking.TOPIC_MESSAGES_IN,
                                new Rates(100, in),
                                Ranking.TOPIC_MESSAGES_OUT,
                                new Rates(200, out),
                                Ranking.TOPIC_BYTES_IN,
                                new Rates(1_000, Map.of("plant/3/state", 50.0))),
                        List.of("n3")),
                limit);
    }

    /** Lines with indented levels, marked if they are topics, with the messages from clients. */
    private static List<String> lines(List<Branch> branches, String indent) {
        List<String> lines = new ArrayList<>();
        for (Branch each : branches) {
            lines.add(indent + each.levels() + (each.isTopic() ? "" : "/") + " " + each.topics() + " "
                    + Math.round(Objects.requireNonNullElse(each.traffic().messagesIn(), 0.0)));
            lines.addAll(lines(each.branches(), indent + "  "));
        }
        return lines;
    }

    @Test
    void topicsAreLevelsWithTheSumsOfTheirRates() {
        TopicTree tree = tree(
                Map.of("plant/3/state", 5.0, "plant/3/alarm", 1.0, "plant/4/state", 20.0, "plant", 2.0, "other", 3.0),
                Map.of("plant/3/state", 7.0),
                MANY);

        assertThat(lines(tree.branches(), ""))
                .containsExactly(
                        "plant 4 28", "  4/state 1 20", "  3/ 2 6", "    state 1 5", "    alarm 1 1", "other 1 3");
        assertThat(tree.topics()).isEqualTo(5);
        assertThat(tree.total().messagesOut()).isEqualTo(200);
        assertThat(tree.listed()).isEqualTo(new TopicTree.Traffic(31.0, 50.0, 7.0, null));
        assertThat(tree.missingNodes()).containsExactly("n3");
        Branch state =
                tree.branches().getFirst().branches().getLast().branches().getFirst();
        assertThat(state.topic()).isEqualTo("plant/3/state");
        assertThat(state.traffic()).isEqualTo(new TopicTree.Traffic(5.0, 50.0, 7.0, null));
        assertThat(tree.branches().getLast().traffic())
                .as("a topic of one ranking only")
                .isEqualTo(new TopicTree.Traffic(3.0, null, null, null));
    }

    @Test
    void levelsWithoutAChoiceAreOneBranch() {
        TopicTree tree = tree(Map.of("/a/b/c", 1.0, "/a/b/d", 2.0), Map.of(), MANY);

        assertThat(lines(tree.branches(), "")).containsExactly("/a/b/ 2 3", "  d 1 2", "  c 1 1");
        assertThat(tree.branches().getFirst().topic()).isEqualTo("/a/b");
    }

    @Test
    void theTopicsWithTheMostMessagesAreChosen() {
        TopicTree tree = tree(Map.of("a", 1.0, "b", 2.0, "c", 3.0), Map.of("a", 9.0), 2);

        assertThat(lines(tree.branches(), "")).containsExactly("a 1 1", "c 1 3");
        assertThat(tree.listed().messagesIn()).isEqualTo(4);
    }

    @Test
    void theDepthIsBounded() {
        String deep = "a/".repeat(120) + "a";
        TopicTree tree = tree(Map.of(deep, 1.0, "a", 1.0, "a/a", 1.0, deep + "/b", 1.0), Map.of(), MANY);

        int depth = 0;
        List<Branch> branches = tree.branches();
        while (!branches.isEmpty()) {
            depth++;
            branches = branches.getFirst().branches();
        }
        assertThat(depth).isLessThanOrEqualTo(10);
        assertThat(tree.topics()).isEqualTo(4);
    }

    @Test
    void withoutMessagesTheTreeIsEmpty() {
        assertThat(tree(Map.of("a", 0.0), Map.of(), MANY).branches()).isEmpty();
    }
}
