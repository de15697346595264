package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.testkit.ManualEventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Compares subscribers with a map, through all container types. {@code -Dheddle.test.seed} repeats a run. */
final class SubscribersProperty {
    private static final EventLoop LOOP = new ManualEventLoop(0);
    private static final int ALIKE = 7;

    private @Nullable Object subscribers;
    private final Map<Subscriber, Object> model = new HashMap<>();

    @RepeatedTest(10)
    void behavesLikeAMapWhileItGrowsAndShrinks(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<Subscriber> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            all.add(i % 10 == 0 ? new SharedGroup("g" + i) : new Session(i, i % 5 == 0 ? ALIKE : i));
        }
        for (int wave = 0; wave < 4; wave++) {
            int known = 1 << random.nextInt(1, 11);
            int growth = 1 + random.nextInt(9);
            for (int step = 0; step < 4 * known; step++) {
                Subscriber subscriber = all.get(random.nextInt(known));
                if (random.nextInt(10) < growth) {
                    put(subscriber);
                } else {
                    remove(subscriber);
                }
            }
            assertThat(reported()).as("seed %d", seed).isEqualTo(model);
        }
        for (Subscriber subscriber : List.copyOf(model.keySet())) {
            remove(subscriber);
        }
        assertThat(subscribers).as("seed %d", seed).isNull();
    }

    @Test
    void arraysAreBoundedHoweverManySubscribersThereAre() {
        for (int i = 0; i < 200_000; i++) {
            put(new Session(i, i));
        }

        assertThat(largestArray(subscribers)).isLessThanOrEqualTo(Subscribers.LARGEST_ARRAY);
        assertThat(reported()).hasSize(200_000);
    }

    private void put(Subscriber subscriber) {
        Object wanted = subscriber instanceof SharedGroup group ? group : subscription();
        Subscribers.Entry entry = new Subscribers.Entry(subscriber, wanted);
        Subscribers.Entry found = Subscribers.find(subscribers, subscriber);
        assertThat(found == null ? null : found.target()).isSameAs(model.put(subscriber, wanted));
        subscribers = found == null || subscribers == null
                ? Subscribers.with(subscribers, entry)
                : Subscribers.replaced(subscribers, entry);
    }

    private void remove(Subscriber subscriber) {
        assertThat(Subscribers.find(subscribers, subscriber) == null).isEqualTo(model.remove(subscriber) == null);
        Object before = subscribers;
        if (before != null && Subscribers.find(before, subscriber) != null) {
            subscribers = Subscribers.without(before, subscriber);
        }
    }

    private Map<Subscriber, Object> reported() {
        Map<Subscriber, Object> reported = new HashMap<>();
        Object from = subscribers;
        if (from != null) {
            Subscribers.report(from, new SubscriptionTrie.Matches() {
                @Override
                public void nextFilter() {
                    throw new AssertionError("nextFilter called for a single filter");
                }

                @Override
                public void add(LocalSession session, Subscription subscription) {
                    assertThat(reported.put(session, subscription)).isNull();
                }

                @Override
                public void add(PersistentSubscriber session, Subscription subscription) {
                    throw new AssertionError("unexpected persistent session");
                }

                @Override
                public void add(RemoteNode node, RemoteNode.Interest interest) {
                    throw new IllegalStateException("there is no other node");
                }

                @Override
                public void add(SharedGroup group) {
                    assertThat(reported.put(group, group)).isNull();
                }
            });
        }
        return reported;
    }

    private static int largestArray(@Nullable Object subscribers) {
        if (subscribers instanceof Object[] array) {
            return array.length;
        }
        int largest = 0;
        if (subscribers instanceof HashNode hashNode) {
            for (int i = 0; i < HashNode.PARTS; i++) {
                largest = Math.max(largest, largestArray(hashNode.part(i)));
            }
        }
        return largest;
    }

    private static Subscription subscription() {
        return new Subscription(TopicFilter.parse("a", 1), QoS.AT_MOST_ONCE, false, false, 0);
    }

    private record Session(int number, int hash) implements LocalSession {
        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Session that && number == that.number;
        }

        @Override
        public ClientId clientId() {
            return new ClientId("client-" + number);
        }

        @Override
        public EventLoop eventLoop() {
            return LOOP;
        }

        @Override
        public DeliveryCapacity capacity() {
            return DeliveryCapacity.READY;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public boolean deliver(PublishMessage message, DeliveryTerms terms) {
            throw new AssertionError("unexpected delivery");
        }

        @Override
        public void disconnect(ReasonCode reason) {
            throw new AssertionError(reason);
        }
    }
}
