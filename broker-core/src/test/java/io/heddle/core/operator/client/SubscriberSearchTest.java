package io.heddle.core.operator.client;

import static io.heddle.core.operator.client.ClientFormat.FOUND_SUBSCRIBERS;
import static io.heddle.core.operator.client.ClientFormat.SUBSCRIBERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.SubscriberPage.Subscriber;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import io.heddle.core.operator.client.SubscriberSearch.Found;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SubscriberSearchTest {
    private final SubscriptionTrie trie = new SubscriptionTrie();

    private void subscribe(String clientId, String... filters) {
        PersistentSubscriber session = new PersistentSubscriber(new ClientId(clientId), ClientType.DEVICE, 0, 1);
        for (String each : filters) {
            trie.put(session, new Subscription(TopicFilter.parse(each, 8), QoS.AT_LEAST_ONCE, false, true, 7));
        }
    }

    private static SubscriberQuery ofTopic(String topic, @Nullable Position after, int limit) {
        return new SubscriberQuery(new Of.Topic(TopicName.parse(topic, 8)), after, limit);
    }

    private static SubscriberQuery ofFilter(String filter) {
        return new SubscriberQuery(new Of.Filter(TopicFilter.parse(filter, 8)), null, 100);
    }

    private List<String> found(SubscriberQuery query) {
        return names(SubscriberSearch.search(trie, query, true).entries());
    }

    private static List<String> names(List<Subscriber> entries) {
        return entries.stream()
                .map(each -> each.clientId() + " " + each.subscription().topicFilter())
                .toList();
    }

    @Test
    void allMatchingSubscriptionsAreFoundInPages() {
        subscribe("c", "a/+", "$share/g/a/b", "x");
        subscribe("b", "#");
        subscribe("a", "a/b");

        assertThat(found(ofTopic("a/b", null, 100))).containsExactly("a a/b", "b #", "c $share/g/a/b", "c a/+");
        List<String> pages = new ArrayList<>();
        Position after = null;
        boolean more = true;
        while (more) {
            Found page = SubscriberSearch.search(trie, ofTopic("a/b", after, 1), true);
            pages.addAll(names(page.entries()));
            after = page.entries().getLast().position();
            more = page.hasMore();
        }
        assertThat(pages).containsExactly("a a/b", "b #", "c $share/g/a/b", "c a/+");
    }

    @Test
    void onlyTheSubscribersOfTheFilterAreFound() {
        subscribe("c", "a/+", "$share/g/a/+", "$share/h/a/+", "a/#");
        subscribe("d", "$share/g/a/+");

        assertThat(found(ofFilter("a/+"))).containsExactly("c a/+");
        assertThat(found(ofFilter("$share/g/a/+"))).containsExactly("c $share/g/a/+", "d $share/g/a/+");
        assertThat(found(ofFilter("unknown"))).isEmpty();
    }

    @Test
    void onlyOneKindOfSessionIsFound() {
        subscribe("a", "t");

        assertThat(SubscriberSearch.search(trie, ofTopic("t", null, 9), false).entries())
                .isEmpty();
    }

    @Test
    void tooManySubscriptionsAreNotAllExamined() {
        for (int i = 0; i <= SubscriberSearch.MAXIMUM_EXAMINED; i++) {
            subscribe("client-" + i, "t");
        }

        Found found = SubscriberSearch.search(trie, ofTopic("t", null, 3), true);

        assertThat(found.isComplete()).isFalse();
        assertThat(found.entries()).hasSize(3);
        assertThat(found.hasMore()).isTrue();
    }

    @Test
    void thePartThatEndsFirstLimitsThePage() {
        subscribe("a", "t");
        subscribe("c", "t");
        subscribe("d", "t");
        Found all = SubscriberSearch.search(trie, ofTopic("t", null, 9), true);
        Found some = new Found(
                List.of(new Subscriber("b", new SubscriptionEntry("t", QoS.AT_MOST_ONCE, true, false, 0), false)),
                true,
                false);

        SubscriberPage page = SubscriberSearch.merge(List.of(all, some), 9, Set.of("n"));

        assertThat(names(page.entries())).containsExactly("a t", "b t");
        assertThat(page.next()).isEqualTo(new Position("b", "t"));
        assertThat(page.isComplete()).isFalse();
        SubscriberPage full = SubscriberSearch.merge(List.of(all), 2, Set.of());
        assertThat(names(full.entries())).containsExactly("a t", "c t");
        assertThat(full.next()).isEqualTo(new Position("c", "t"));
    }

    @Test
    void questionsAndAnswersCrossALinkAndAreCutToFit() {
        SubscriberQuery query = ofTopic("a/b", new Position("c", "f"), 5);
        assertThat(SUBSCRIBERS.decode(SUBSCRIBERS.encode(query))).isEqualTo(query);
        SubscriberQuery ofGroup = ofFilter("$share/g/#");
        assertThat(SUBSCRIBERS.decode(SUBSCRIBERS.encode(ofGroup))).isEqualTo(ofGroup);
        subscribe("a", "t");
        subscribe("b", "t");
        Found found = SubscriberSearch.search(trie, ofTopic("t", null, 9), true);

        byte[] whole = found.encode(1_000);
        Found cut = FOUND_SUBSCRIBERS.decode(found.encode(whole.length - 1));

        assertThat(names(FOUND_SUBSCRIBERS.decode(whole).entries())).containsExactly("a t", "b t");
        assertThat(names(cut.entries())).containsExactly("a t");
        assertThat(cut.hasMore()).isTrue();
    }
}
