package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import org.junit.jupiter.api.Test;

/** Tests that a match visits a bounded number of nodes whatever clients subscribe to; counted, not timed. */
final class AdversarialFiltersTest {
    private static final int LEVELS = 64;
    private static final int PATTERNS = 200;
    private static final int GROUP_MEMBERS = 5;

    private final SubscriptionTrie trie =
            new SubscriptionTrie(new SubscriptionLimits(PATTERNS, PATTERNS, 0, GROUP_MEMBERS));
    private final RecordingSession session = session("c");

    /** All 2^16 filters of "a" and "+" over 16 levels, plus one level that no topic has. */
    @Test
    void wildcardMixturesAreRejectedBeforeAMatchExceedsItsBound() {
        int levels = 16;
        int refused = 0;
        for (int mask = 0; mask < 1 << levels; mask++) {
            StringBuilder filter = new StringBuilder();
            for (int level = 0; level < levels; level++) {
                filter.append((mask >>> level & 1) == 0 ? "a/" : "+/");
            }
            refused += subscribe(filter + "x") ? 0 : 1;
        }

        assertThat(refused).isPositive();
        assertThat(trie.wildcardPatterns()).isBetween(PATTERNS / 2, PATTERNS);
        assertThat(trie.size()).isEqualTo((1 << levels) - refused);
        assertThat(looked("a/".repeat(levels) + "y")).isBetween(PATTERNS / 2, 1 + levels + 1 + PATTERNS);
    }

    @Test
    void rejectedFiltersLeaveNothingBehind() {
        for (int mask = 0; mask < 1 << 10; mask++) {
            subscribe(filter(mask, 10));
        }
        int nodes = trie.nodeCount();
        int size = trie.size();

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> trie.put(session, subscription("b/".repeat(20) + "+/+/+")))
                .returns(ReasonCode.QUOTA_EXCEEDED, ProtocolException::reason);

        assertThat(trie.nodeCount()).isEqualTo(nodes);
        assertThat(trie.size()).isEqualTo(size);
        assertThat(subscribe("without/any/wildcard/however/deep/it/is/" + "a/".repeat(LEVELS - 8)))
                .isTrue();
        assertThat(subscribe("other/names/in/a/known/arrangement/#")).isTrue();
        assertThat(subscribe("+/other/+")).isTrue();
        assertThat(subscribe("#")).isTrue();
    }

    @Test
    void unusedPatternsAreReleased() {
        for (int mask = 0; mask < 1 << 10; mask++) {
            subscribe(filter(mask, 10));
        }
        assertThat(subscribe("b/".repeat(20) + "+/+/+")).isFalse();
        for (int mask = 0; mask < 1 << 10; mask++) {
            trie.remove(session, TopicFilter.parse(filter(mask, 10), LEVELS));
        }

        assertThat(trie.nodeCount()).isOne();
        assertThat(trie.wildcardPatterns()).isZero();
        assertThat(subscribe("b/".repeat(20) + "+/+/+")).isTrue();
    }

    /** The three forms: p/n, p/n/+ and p/+/n. */
    @Test
    void aMillionFiltersWithOnePrefixCostAMatchNoMoreThanOne() {
        for (int i = 0; i < 333_334; i++) {
            trie.put(session, subscription("p/" + i));
            trie.put(session, subscription("p/" + i + "/+"));
            trie.put(session, subscription("p/+/" + i));
        }

        assertThat(trie.size()).isEqualTo(1_000_002);
        assertThat(looked("p/333333")).isEqualTo(1 + 1 + 2);
        assertThat(looked("p/333333/333333")).isEqualTo(1 + 1 + 2 + 2);
        assertThat(looked("p/none/none")).isEqualTo(1 + 1 + 1);
    }

    @Test
    void deepestTopicIsMatchedThoughEveryLevelBranches() {
        for (int wildcards = 0; wildcards < PATTERNS / LEVELS; wildcards++) {
            assertThat(subscribe("+/".repeat(wildcards) + "a/".repeat(LEVELS - 1 - wildcards) + "a"))
                    .isTrue();
        }

        assertThat(looked("a/".repeat(LEVELS - 1) + "a")).isLessThanOrEqualTo(1 + LEVELS + PATTERNS);
    }

    @Test
    void fullGroupRejectsNewMembersAndAcceptsResubscriptions() {
        for (int i = 0; i < GROUP_MEMBERS; i++) {
            trie.put(session("m" + i), subscription("$share/g/a"));
        }

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> trie.put(session, subscription("$share/g/a")))
                .returns(ReasonCode.QUOTA_EXCEEDED, ProtocolException::reason);
        assertThat(trie.put(session("m0"), subscription("$share/g/a"))).isNotNull();
        assertThat(subscribe("$share/h/a")).isTrue();
        assertThat(trie.size()).isEqualTo(GROUP_MEMBERS + 1);
    }

    private static String filter(int mask, int levels) {
        StringBuilder filter = new StringBuilder();
        for (int level = 0; level < levels; level++) {
            filter.append((mask >>> level & 1) == 0 ? "a/" : "+/");
        }
        return filter + "a";
    }

    private boolean subscribe(String filter) {
        try {
            trie.put(session, subscription(filter));
            return true;
        } catch (ProtocolException refused) {
            assertThat(refused.reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            return false;
        }
    }

    private int looked(String topic) {
        return trie.match(TopicName.parse(topic, LEVELS), new SubscriptionTrie.Matches() {
            @Override
            public void nextFilter() {}

            @Override
            public void add(LocalSession session, Subscription subscription) {}

            @Override
            public void add(PersistentSubscriber session, Subscription subscription) {}

            @Override
            public void add(RemoteNode node, RemoteNode.Interest interest) {
                throw new IllegalStateException("there is no other node");
            }

            @Override
            public void add(SharedGroup group) {}
        });
    }

    private static Subscription subscription(String filter) {
        return new Subscription(TopicFilter.parse(filter, LEVELS), QoS.AT_MOST_ONCE, false, false, 0);
    }

    private static RecordingSession session(String clientId) {
        return new RecordingSession(clientId, new ManualEventLoop(0));
    }
}
