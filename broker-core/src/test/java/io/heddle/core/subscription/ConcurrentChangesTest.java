package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Matches while other threads change the trie: an unchanged subscription is found exactly once, one that is added or removed at
 * most once, and one that never existed never. {@code -Dheddle.test.seed} repeats the changes, not the interleaving of the
 * threads.
 */
final class ConcurrentChangesTest {
    private static final int LEVELS = 8;
    private static final int CHANGES = 150_000;
    private static final String[] FILTERS = {
        "a/b/c", "a/+/c", "a/#", "a/b/#", "+/b/+", "#", "$share/g/a/b/c", "$share/h/a/#"
    };
    private static final String[] OTHERS = {"a/b/x", "a/+/x", "x/y", "$x", "a/b", "$share/g/a/b/x"};
    private static final TopicName TOPIC = TopicName.parse("a/b/c", LEVELS);

    private final long seed = Long.getLong("heddle.test.seed", System.nanoTime());
    private final SubscriptionTrie trie = new SubscriptionTrie();
    private final ManualEventLoop loop = new ManualEventLoop(0);

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newFixedThreadPool(
            4, Thread.ofPlatform().name("changes-", 0).factory());

    @Test
    void matchFindsUnchangedSubscriptionsExactlyOnce() throws ExecutionException, InterruptedException {
        List<RecordingSession> staying = sessions("stays", 20);
        for (RecordingSession session : staying) {
            for (String filter : FILTERS) {
                trie.put(session, subscription(filter));
            }
        }
        AtomicBoolean changing = new AtomicBoolean(true);
        Future<?> first = threads.submit(() -> change(sessions("first", 200), 1));
        Future<?> second = threads.submit(() -> change(sessions("second", 3), 2));
        Future<Integer> matching = threads.submit(() -> matchWhile(changing, staying));
        Future<Integer> matchingToo = threads.submit(() -> matchWhile(changing, staying));
        try {
            first.get();
            second.get();
        } finally {
            changing.set(false);
        }

        assertThat(matching.get()).isPositive();
        assertThat(matchingToo.get()).isPositive();
        for (RecordingSession session : staying) {
            for (String filter : FILTERS) {
                assertThat(trie.remove(session, filter(filter))).isTrue();
            }
        }
        assertThat(trie.size()).isZero();
        assertThat(trie.nodeCount()).isOne();
    }

    /** Changes the subscriptions of one thread's own sessions and finally removes all of them. */
    private void change(List<RecordingSession> sessions, int number) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed + number);
        for (int i = 0; i < CHANGES; i++) {
            // In waves, so that the containers grow and shrink through all their types.
            boolean growing = i / (CHANGES / 6) % 2 == 0;
            RecordingSession session = sessions.get(random.nextInt(sessions.size()));
            String filter = random.nextInt(4) > 0
                    ? FILTERS[random.nextInt(FILTERS.length)]
                    : OTHERS[random.nextInt(OTHERS.length)] + "/" + random.nextInt(100);
            if (random.nextInt(10) < (growing ? 8 : 2)) {
                trie.put(session, subscription(filter));
            } else {
                trie.remove(session, filter(filter));
            }
        }
        for (RecordingSession session : sessions) {
            for (String filter : FILTERS) {
                trie.remove(session, filter(filter));
            }
            for (String other : OTHERS) {
                for (int i = 0; i < 100; i++) {
                    trie.remove(session, filter(other + "/" + i));
                }
            }
        }
    }

    private int matchWhile(AtomicBoolean changing, List<RecordingSession> staying) {
        int matches = 0;
        while (changing.get()) {
            Found found = new Found();
            trie.match(TOPIC, found);
            for (RecordingSession session : staying) {
                for (String filter : FILTERS) {
                    assertThat(found.count(session, filter))
                            .as("seed %d: %s of %s", seed, filter, session)
                            .isOne();
                }
            }
            found.requireEachOnceAndMatching(seed);
            matches++;
        }
        return matches;
    }

    private List<RecordingSession> sessions(String name, int count) {
        List<RecordingSession> sessions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sessions.add(new RecordingSession(name + "-" + i, loop));
        }
        return sessions;
    }

    private static TopicFilter filter(String text) {
        return TopicFilter.parse(text, LEVELS);
    }

    private static Subscription subscription(String filter) {
        return new Subscription(filter(filter), QoS.AT_MOST_ONCE, false, false, 0);
    }

    private record Key(SessionSubscriber session, String filter) {}

    private static final class Found implements SubscriptionTrie.Matches {
        private final Map<Key, Integer> counts = new HashMap<>();

        @Override
        public void nextFilter() {}

        @Override
        public void add(LocalSession session, Subscription subscription) {
            count(session, subscription);
        }

        @Override
        public void add(PersistentSubscriber session, Subscription subscription) {
            count(session, subscription);
        }

        private void count(SessionSubscriber session, Subscription subscription) {
            counts.merge(new Key(session, subscription.topicFilter().value()), 1, Integer::sum);
        }

        @Override
        public void add(RemoteNode node, RemoteNode.Interest interest) {
            throw new IllegalStateException("there is no other node");
        }

        @Override
        public void add(SharedGroup group) {
            for (Member member : group.members()) {
                count(member.session(), member.subscription());
            }
        }

        int count(LocalSession session, String filter) {
            return counts.getOrDefault(new Key(session, filter), 0);
        }

        void requireEachOnceAndMatching(long seed) {
            counts.forEach((key, count) -> {
                assertThat(count).as("seed %d: %s", seed, key).isOne();
                assertThat(FILTERS).as("seed %d", seed).contains(key.filter());
            });
        }
    }
}
