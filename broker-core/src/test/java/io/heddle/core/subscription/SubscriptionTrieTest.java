package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.Conformance;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SubscriptionTrieTest {
    private final SubscriptionTrie trie = new SubscriptionTrie();

    @Conformance("MQTT-3.8.4-3")
    @Test
    void aSecondSubscriptionToTheSameFilterReplacesTheFirst() {
        RecordingSession session = session("c");
        Subscription first = subscription("a/+", QoS.AT_MOST_ONCE);
        Subscription second = subscription("a/+", QoS.EXACTLY_ONCE);

        assertThat(trie.put(session, first)).isNull();
        assertThat(trie.put(session, second)).isSameAs(first);

        assertThat(trie.size()).isOne();
        assertThat(matches("a/b")).containsExactly(second);
    }

    @Test
    void equalSubscriptionsOfDifferentClientsShareOneInstance() {
        for (String filter : List.of("a/+", "$share/g/a/+", "#")) {
            Subscription first = subscription(filter, QoS.AT_MOST_ONCE);
            assertThat(trie.shared(session("first"), first)).isSameAs(first);
            trie.put(session("first"), first);
            for (int i = 0; i < 200; i++) {
                RecordingSession session = session("client-" + i);
                Subscription shared = trie.shared(session, subscription(filter, QoS.AT_MOST_ONCE));
                assertThat(shared).isSameAs(first);
                trie.put(session, shared);
            }
        }
    }

    @Test
    void subscriptionsWithOtherOptionsOrToOtherFiltersAreNotShared() {
        trie.put(session("first"), subscription("a/+", QoS.AT_MOST_ONCE));
        trie.put(session("first"), subscription("$share/g/a/+", QoS.AT_MOST_ONCE));

        for (Subscription other : List.of(
                subscription("a/+", QoS.AT_LEAST_ONCE),
                subscription("a/+/#", QoS.AT_MOST_ONCE),
                subscription("$share/h/a/+", QoS.AT_MOST_ONCE),
                subscription("$share/g/a/+", QoS.AT_LEAST_ONCE),
                new Subscription(filter("a/+"), QoS.AT_MOST_ONCE, true, false, 0),
                new Subscription(filter("a/+"), QoS.AT_MOST_ONCE, false, true, 0),
                new Subscription(filter("a/+"), QoS.AT_MOST_ONCE, false, false, 1))) {
            assertThat(trie.shared(session("second"), other)).isSameAs(other);
        }
    }

    @Test
    void removingAMissingSubscriptionChangesNothing() {
        trie.put(session("c"), subscription("a/b", QoS.AT_MOST_ONCE));

        assertThat(trie.remove(session("other"), filter("a/b"))).isFalse();
        assertThat(trie.remove(session("other"), filter("a/b/c"))).isFalse();
        assertThat(trie.remove(session("other"), filter("+"))).isFalse();

        assertThat(trie.size()).isOne();
    }

    @Test
    void membersAreCountedIndividuallyAndTheLastRemovesTheGroup() {
        RecordingSession first = session("first");
        RecordingSession second = session("second");
        trie.put(first, subscription("$share/g/a/+", QoS.AT_MOST_ONCE));
        trie.put(second, subscription("$share/g/a/+", QoS.AT_MOST_ONCE));
        trie.put(first, subscription("$share/h/a/+", QoS.AT_MOST_ONCE));
        trie.put(first, subscription("a/+", QoS.AT_MOST_ONCE));
        assertThat(trie.size()).isEqualTo(4);
        assertThat(trie.nodeCount()).isEqualTo(3);

        assertThat(trie.remove(first, filter("$share/g/a/+"))).isTrue();
        assertThat(trie.remove(first, filter("$share/g/a/+"))).isFalse();
        assertThat(matches("a/b")).hasSize(3);
        assertThat(trie.remove(first, filter("a/+"))).isTrue();
        assertThat(trie.remove(first, filter("$share/h/a/+"))).isTrue();
        assertThat(trie.remove(second, filter("$share/other/a/+"))).isFalse();
        assertThat(matches("a/b")).hasSize(1);
        assertThat(trie.remove(second, filter("$share/g/a/+"))).isTrue();

        assertThat(matches("a/b")).isEmpty();
        assertThat(trie.size()).isZero();
        assertThat(trie.nodeCount()).isOne();
    }

    @Test
    void clientIsAMemberOnceAndItsFormerSessionCannotRemoveItsSuccessor() {
        RecordingSession former = session("c");
        RecordingSession successor = session("c");
        Subscription ofFormer = subscription("$share/g/a/#", QoS.AT_MOST_ONCE);
        Subscription ofSuccessor = subscription("$share/g/a/#", QoS.AT_LEAST_ONCE);

        assertThat(trie.put(former, ofFormer)).isNull();
        assertThat(trie.put(successor, ofSuccessor)).isSameAs(ofFormer);
        assertThat(trie.size()).isOne();
        assertThat(trie.remove(former, filter("$share/g/a/#"))).isFalse();

        assertThat(matches("a/b")).containsExactly(ofSuccessor);
    }

    @Test
    void filterWithManySubscribersGrowsAndShrinksWithoutLoss() {
        List<RecordingSession> sessions = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            RecordingSession session = session("c" + i);
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
    void concurrentMatchAlwaysFindsUnchangedSubscribers() throws InterruptedException {
        RecordingSession stays = session("stays");
        trie.put(stays, subscription("a/+/c", QoS.AT_MOST_ONCE));
        Thread changer = Thread.ofPlatform().name("changer").start(() -> {
            for (int round = 0; round < 2_000; round++) {
                List<RecordingSession> guests = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    RecordingSession guest = session("guest" + i);
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
            public void add(LocalSession session, Subscription subscription) {
                found.add(subscription);
            }

            @Override
            public void add(PersistentSubscriber session, Subscription subscription) {
                found.add(subscription);
            }

            @Override
            public void add(RemoteNode node, RemoteNode.Interest interest) {
                throw new IllegalStateException("there is no other node");
            }

            @Override
            public void add(SharedGroup group) {
                group.members().forEach(member -> found.add(member.subscription()));
            }
        });
        return found;
    }

    private static RecordingSession session(String clientId) {
        return new RecordingSession(clientId, new ManualEventLoop(0));
    }

    private static TopicFilter filter(String text) {
        return TopicFilter.parse(text, 8);
    }

    private static Subscription subscription(String text, QoS qos) {
        return new Subscription(filter(text), qos, false, false, 0);
    }
}
