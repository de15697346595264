package io.heddle.perf.load.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RetainedFiltersTest {
    private static final String TOPIC = "root/kind/12/34";

    private static boolean matches(String filter) {
        return matches(filter, TOPIC);
    }

    private static boolean matches(String filter, String topic) {
        return topic.matches(filter.replace("/#", "(/.*)?").replace("#", ".*").replace("+", "[^/]*"));
    }

    @Test
    void firstFiltersMatchEveryTopicAndTheOthersNone() {
        List<String> filters = RetainedFilters.of("root/kind", 100, RetainedFilters.MAXIMUM_MATCHING);
        assertThat(filters).hasSize(100).doesNotHaveDuplicates();
        assertThat(filters.subList(0, RetainedFilters.MAXIMUM_MATCHING)).allMatch(RetainedFiltersTest::matches);
        assertThat(filters.subList(RetainedFilters.MAXIMUM_MATCHING, 100)).noneMatch(RetainedFiltersTest::matches);
    }

    @Test
    void noFilterMatchesTheTopicsOfOtherClients() {
        assertThat(RetainedFilters.of("root/kind", 100, RetainedFilters.MAXIMUM_MATCHING))
                .noneMatch(filter -> matches(filter, "load/QoS0"));
    }

    @Test
    void allOfFewFiltersCanMatch() {
        assertThat(RetainedFilters.of("root/kind", 2, 5)).hasSize(2).allMatch(RetainedFiltersTest::matches);
    }

    @Test
    void rootHasTwoLevels() {
        assertThatThrownBy(() -> RetainedFilters.of("root", 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
