package io.heddle.core.operator.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class OrderedWalkTest {
    private final ConcurrentSkipListMap<String, String> clients = new ConcurrentSkipListMap<>();
    private final List<String> found = new ArrayList<>();

    OrderedWalkTest() {
        for (String each : List.of("a", "b1", "b2", "b3", "c")) {
            clients.put(each, each);
        }
    }

    private static ClientQuery query(@Nullable String prefix, @Nullable String after, boolean descending, int limit) {
        return new ClientQuery(
                new ClientFilter(prefix, null, null, null, null, null, null, null, null, null),
                after,
                descending,
                limit);
    }

    private @Nullable String walk(ClientQuery query) {
        found.clear();
        return OrderedWalk.walk(clients, query, _ -> true, found::add);
    }

    @Test
    void pagesFollowEachOtherInBothDirections() {
        assertThat(walk(query(null, null, false, 3))).isEqualTo("b2");
        assertThat(found).containsExactly("a", "b1", "b2");
        assertThat(walk(query(null, "b2", false, 3))).isNull();
        assertThat(found).containsExactly("b3", "c");

        assertThat(walk(query(null, null, true, 3))).isEqualTo("b2");
        assertThat(found).containsExactly("c", "b3", "b2");
        assertThat(walk(query(null, "b2", true, 3))).isNull();
        assertThat(found).containsExactly("b1", "a");
    }

    @Test
    void onlyTheRangeOfThePrefixIsExamined() {
        List<String> examined = new ArrayList<>();

        assertThat(OrderedWalk.walk(clients, query("b", null, false, 9), examined::add, found::add))
                .isNull();

        assertThat(examined).containsExactly("b1", "b2", "b3");
        walk(query("b", "b1", true, 9));
        assertThat(found).isEmpty();
        walk(query("b", "c", true, 9));
        assertThat(found).containsExactly("b3", "b2", "b1");
        walk(query("b", "c", false, 9));
        assertThat(found).isEmpty();
        walk(query("b", "a", false, 9));
        assertThat(found).containsExactly("b1", "b2", "b3");
    }

    @Test
    void aPrefixMayEndWithTheHighestCharacter() {
        clients.put("b\uffff1", "b\uffff1");

        walk(query("b\uffff", null, false, 9));
        assertThat(found).containsExactly("b\uffff1");
        walk(query("\uffff", null, true, 9));
        assertThat(found).isEmpty();
    }

    @Test
    void aWalkWithoutMatchesEndsAtItsBoundAndGoesOnFromThere() {
        ConcurrentSkipListMap<String, Integer> many = new ConcurrentSkipListMap<>();
        for (int i = 0; i < OrderedWalk.MAXIMUM_EXAMINED + 10; i++) {
            many.put(String.format("%07d", i), i);
        }
        int wanted = OrderedWalk.MAXIMUM_EXAMINED + 5;
        List<Integer> matches = new ArrayList<>();

        String next = OrderedWalk.walk(many, query(null, null, false, 1), each -> each == wanted, matches::add);
        assertThat(next).isEqualTo(String.format("%07d", OrderedWalk.MAXIMUM_EXAMINED - 1));
        assertThat(matches).isEmpty();

        OrderedWalk.walk(many, query(null, next, false, 1), each -> each == wanted, matches::add);
        assertThat(matches).containsExactly(wanted);
    }
}
