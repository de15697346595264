package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.Conformance;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.NaiveMatcher;
import io.heddle.core.testkit.RecordingSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Compares the trie with a matcher that works level by level. {@code -Dheddle.test.seed} repeats a run. */
final class SubscriptionTrieProperty {
    private static final String[] NAMES = {"a", "b", "", "$x", "c"};
    private static final String[] FILTER_LEVELS = {"a", "b", "", "$x", "c", "+", "+"};
    private static final String[] SHARE_NAMES = {"g", "h"};
    private static final int LEVELS = 8;

    private record Key(RecordingSession session, String filter) {}

    @Conformance(
            value = {"MQTT-3.3.2-3", "MQTT-4.7.2-1"},
            mqtt311 = {"MQTT-3.3.2-3", "MQTT-4.7.2-1"})
    @RepeatedTest(30)
    void findsWhatANaiveMatcherFindsThroughRandomChanges(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        SubscriptionTrie trie = new SubscriptionTrie();
        Map<Key, Subscription> model = new HashMap<>();
        ManualEventLoop loop = new ManualEventLoop(0);
        List<RecordingSession> sessions = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sessions.add(new RecordingSession("client-" + i, loop));
        }
        for (int step = 0; step < 1_500; step++) {
            RecordingSession session = sessions.get(random.nextInt(sessions.size()));
            TopicFilter filter = TopicFilter.parse(randomFilter(random), LEVELS);
            Key key = new Key(session, filter.value());
            if (random.nextInt(3) > 0) {
                Subscription subscription = new Subscription(filter, QoS.AT_MOST_ONCE, false, false, 0);
                assertThat(trie.put(session, subscription)).as("seed %d", seed).isSameAs(model.put(key, subscription));
            } else {
                assertThat(trie.remove(session, filter)).as("seed %d", seed).isEqualTo(model.remove(key) != null);
            }
            if (step % 10 == 0) {
                TopicName topic = TopicName.parse(randomTopic(random), LEVELS);
                assertThat(matched(trie, topic))
                        .as("seed %d, topic '%s'", seed, topic)
                        .isEqualTo(expected(model, topic));
            }
        }
        assertThat(trie.size()).as("seed %d", seed).isEqualTo(model.size());
        for (Key key : List.copyOf(model.keySet())) {
            assertThat(trie.remove(key.session(), TopicFilter.parse(key.filter(), LEVELS)))
                    .as("seed %d", seed)
                    .isTrue();
        }
        assertThat(trie.size()).isZero();
        assertThat(trie.nodeCount())
                .as("nothing is left but the root, seed %d", seed)
                .isOne();
    }

    private static String randomFilter(RandomGenerator random) {
        int levels = 1 + random.nextInt(4);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            parts.add(FILTER_LEVELS[random.nextInt(FILTER_LEVELS.length)]);
        }
        if (random.nextInt(4) == 0) {
            parts.add("#");
        }
        String filter = String.join("/", parts);
        String notEmpty = filter.isEmpty() ? "/" : filter;
        return random.nextInt(3) > 0
                ? notEmpty
                : "$share/" + SHARE_NAMES[random.nextInt(SHARE_NAMES.length)] + "/" + notEmpty;
    }

    private static String randomTopic(RandomGenerator random) {
        int levels = 1 + random.nextInt(5);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            parts.add(NAMES[random.nextInt(NAMES.length)]);
        }
        String topic = String.join("/", parts);
        return topic.isEmpty() ? "/" : topic;
    }

    private static Set<Key> matched(SubscriptionTrie trie, TopicName topic) {
        Set<Key> found = new HashSet<>();
        trie.match(topic, new SubscriptionTrie.Matches() {
            @Override
            public void nextFilter() {}

            @Override
            public void add(LocalSession session, Subscription subscription) {
                assertThat(subscription.topicFilter().shareName()).isNull();
                addOnce(session, subscription);
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
                assertThat(group.members()).isNotEmpty();
                for (Member member : group.members()) {
                    assertThat(member.subscription().topicFilter().shareName()).isEqualTo(group.shareName());
                    addOnce(member.session(), member.subscription());
                }
            }

            private void addOnce(SessionSubscriber session, Subscription subscription) {
                Key key = new Key(
                        (RecordingSession) session, subscription.topicFilter().value());
                assertThat(found.add(key)).as("%s only once", key).isTrue();
            }
        });
        return found;
    }

    private static Set<Key> expected(Map<Key, Subscription> model, TopicName topic) {
        Set<Key> expected = new HashSet<>();
        for (Key key : model.keySet()) {
            if (NaiveMatcher.matches(withoutShare(key.filter()), topic.value())) {
                expected.add(key);
            }
        }
        return expected;
    }

    private static String withoutShare(String filter) {
        return filter.startsWith("$share/") ? filter.substring(filter.indexOf('/', "$share/".length()) + 1) : filter;
    }
}
