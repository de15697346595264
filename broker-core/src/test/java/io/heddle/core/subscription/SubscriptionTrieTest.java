package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.ManualEventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SubscriptionTrieTest {
    private final SubscriptionTrie trie = new SubscriptionTrie();

    @Test
    void aSecondSubscriptionToTheSameFilterReplacesTheFirst() {
        Session session = new Session("c");
        Subscription first = subscription("a/+", QoS.AT_MOST_ONCE);
        Subscription second = subscription("a/+", QoS.EXACTLY_ONCE);

        assertThat(trie.put(session, first)).isNull();
        assertThat(trie.put(session, second)).isSameAs(first);

        assertThat(trie.size()).isOne();
        assertThat(matches("a/b")).containsExactly(second);
    }

    @Test
    void removingWhatIsNotThereChangesNothing() {
        trie.put(new Session("c"), subscription("a/b", QoS.AT_MOST_ONCE));

        assertThat(trie.remove(new Session("other"), filter("a/b"))).isFalse();
        assertThat(trie.remove(new Session("other"), filter("a/b/c"))).isFalse();
        assertThat(trie.remove(new Session("other"), filter("+"))).isFalse();

        assertThat(trie.size()).isOne();
    }

    @Test
    void aFilterWithManySubscribersGrowsShrinksAndLosesNobody() {
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Session session = new Session("c" + i);
            sessions.add(session);
            trie.put(session, subscription("city/#", QoS.AT_MOST_ONCE));
        }
        assertThat(matches("city/1")).hasSize(3_000);

        for (int i = 0; i < 2_995; i++) {
            assertThat(trie.remove(sessions.get(i), filter("city/#"))).isTrue();
        }
        assertThat(matches("city/1")).hasSize(5);
        trie.put(sessions.getFirst(), subscription("city/#", QoS.AT_MOST_ONCE));
        assertThat(matches("city/1")).hasSize(6);
    }

    @Test
    void matchingWhileOthersChangeAlwaysSeesTheSubscribersThatStay() throws InterruptedException {
        Session stays = new Session("stays");
        trie.put(stays, subscription("a/+/c", QoS.AT_MOST_ONCE));
        Thread changer = Thread.ofPlatform().name("changer").start(() -> {
            for (int round = 0; round < 2_000; round++) {
                List<Session> guests = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    Session guest = new Session("guest" + i);
                    guests.add(guest);
                    trie.put(guest, subscription("a/+/c", QoS.AT_MOST_ONCE));
                }
                guests.forEach(guest -> trie.remove(guest, filter("a/+/c")));
            }
        });
        AtomicInteger missed = new AtomicInteger();
        int looked = 0;
        while (changer.isAlive() || looked == 0) {
            if (matches("a/b/c").isEmpty()) {
                missed.incrementAndGet();
            }
            looked++;
        }
        changer.join();

        assertThat(missed).hasValue(0);
        assertThat(matches("a/b/c")).hasSize(1);
    }

    private List<Subscription> matches(String topic) {
        List<Subscription> found = new ArrayList<>();
        trie.match(TopicName.parse(topic, 8), new SubscriptionTrie.Matches() {
            @Override
            public void nextFilter() {}

            @Override
            public void add(Subscriber subscriber, Subscription subscription) {
                found.add(subscription);
            }
        });
        return found;
    }

    private static TopicFilter filter(String text) {
        return TopicFilter.parse(text, 8);
    }

    private static Subscription subscription(String text, QoS qos) {
        return new Subscription(filter(text), qos, false, false, 0);
    }

    private record Session(String name) implements LocalSession {
        @Override
        public ClientId clientId() {
            return new ClientId(name);
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public EventLoop eventLoop() {
            return new ManualEventLoop(0);
        }

        @Override
        public void deliver(PublishMessage message, DeliveryTerms terms) {
            throw new AssertionError("matching delivers nothing");
        }
    }
}
