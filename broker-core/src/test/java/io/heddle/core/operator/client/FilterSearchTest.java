package io.heddle.core.operator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.client.FilterPage.Entry;
import io.heddle.core.operator.client.FilterPage.Query;
import io.heddle.core.operator.client.FilterSearch.Found;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FilterSearchTest {
    private final SubscriptionTrie trie = new SubscriptionTrie();

    private void subscribe(String clientId, String... filters) {
        PersistentSubscriber session = new PersistentSubscriber(new ClientId(clientId), ClientType.DEVICE, 0, 1);
        for (String each : filters) {
            trie.put(session, new Subscription(TopicFilter.parse(each, 8), QoS.AT_LEAST_ONCE, false, true, 7));
        }
    }

    private List<Entry> found(String prefix) {
        return FilterSearch.search(trie, new Query(prefix, null, 1_000), true).entries();
    }

    private List<String> names(String prefix) {
        return found(prefix).stream().map(Entry::topicFilter).toList();
    }

    @Test
    void allFiltersAreFoundWithTheNumbersOfTheirSubscribers() {
        subscribe("a", "#", "q/#", "q/+/x", "/", "+", "$share/g/q/#", "$share/h/q/#");
        subscribe("b", "q/#", "$share/g/q/#", "q");

        assertThat(found(""))
                .containsExactly(
                        new Entry("#", 1, 0),
                        new Entry("$share/g/q/#", 2, 0),
                        new Entry("$share/h/q/#", 1, 0),
                        new Entry("+", 1, 0),
                        new Entry("/", 1, 0),
                        new Entry("q", 1, 0),
                        new Entry("q/#", 2, 0),
                        new Entry("q/+/x", 1, 0));
        assertThat(FilterSearch.search(trie, new Query("", null, 9), false).entries())
                .isEmpty();
    }

    @Test
    void aPrefixIsThatOfTheWholeFilter() {
        subscribe("a", "plant/1/x", "plant/2", "planet", "pl", "$share/g/plant/1", "$share/h/a");

        assertThat(names("plan")).containsExactly("planet", "plant/1/x", "plant/2");
        assertThat(names("plant/1/")).containsExactly("plant/1/x");
        assertThat(names("$share/")).containsExactly("$share/g/plant/1", "$share/h/a");
        assertThat(names("$share/g/p")).containsExactly("$share/g/plant/1");
        assertThat(names("x")).isEmpty();
    }

    @Test
    void pagesOfALargeLevelHaveEachFilterOnce() {
        TreeSet<String> all = new TreeSet<>();
        for (int i = 0; i < 500; i++) {
            all.add("d/" + i + "/t");
        }
        // Strings with equal hash codes are in a container of their own.
        for (int i = 0; i < 1 << 8; i++) {
            StringBuilder name = new StringBuilder("d/");
            for (int bit = 0; bit < 8; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            all.add(name.toString());
        }
        subscribe("a", all.toArray(String[]::new));

        List<String> paged = new ArrayList<>();
        @Nullable String after = null;
        do {
            FilterPage page =
                    FilterSearch.merge(List.of(FilterSearch.search(trie, new Query("", after, 7), true)), 7, Set.of());
            page.entries().forEach(each -> paged.add(each.topicFilter()));
            after = page.next();
        } while (after != null);
        assertThat(paged).containsExactlyElementsOf(all);
    }

    @Test
    void countsOfNodesAreAddedUpToTheFirstUnknownOne() {
        Found first = new Found(List.of(new Entry("a", 1, 0), new Entry("c", 2, 0)), true, true);
        Found second =
                new Found(List.of(new Entry("a", 4, 0), new Entry("b", 1, 0), new Entry("d", 1, 0)), false, false);

        FilterPage page = FilterSearch.merge(List.of(first, second), 10, Set.of("n"));
        assertThat(page.entries()).containsExactly(new Entry("a", 5, 0), new Entry("b", 1, 0), new Entry("c", 2, 0));
        assertThat(page.next()).isEqualTo("c");
        assertThat(page.isComplete()).isFalse();
        FilterPage shorter = FilterSearch.merge(List.of(first, second), 2, Set.of());
        assertThat(shorter.next()).isEqualTo("b");
        assertThat(FilterSearch.merge(List.of(second), 3, Set.of()).next()).isNull();
    }

    @Test
    void anAnswerIsCutAtItsMaximumSize() {
        Found found = new Found(List.of(new Entry("abc", 1, 0), new Entry("abd", 70_000, 0)), false, true);

        assertThat(ClientFormat.FOUND_FILTERS.decode(found.encode(1_000))).isEqualTo(found);
        assertThat(ClientFormat.FOUND_FILTERS.decode(found.encode(40)))
                .isEqualTo(new Found(found.entries().subList(0, 1), true, true));
    }
}
