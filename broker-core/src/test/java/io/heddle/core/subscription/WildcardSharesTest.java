package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how clients share the limit of wildcard patterns: 16 for all, 4 for patterns used by one client only. */
final class WildcardSharesTest {
    private static final int LEVELS = 64;
    private static final int ALL = 16;
    private static final int SHARE = 4;

    private final SubscriptionTrie trie = new SubscriptionTrie(new SubscriptionLimits(ALL, SHARE, 0, 10));
    private final RecordingSession first = session("first");
    private final RecordingSession second = session("second");

    /** Each adds one new pattern, which ends with the only wildcard. */
    private static String filter(int number) {
        return "a/".repeat(number) + "+";
    }

    @Test
    void oneClientCannotExhaustThePatterns() {
        int taken = 0;
        for (int i = 1; i <= ALL; i++) {
            taken += subscribe(first, filter(i)) ? 1 : 0;
        }

        assertThat(taken).isEqualTo(SHARE);
        assertThat(subscribe(second, filter(ALL))).isTrue();
        assertThat(subscribe(first, "without/any/wildcard")).isTrue();
        assertThat(subscribe(first, "other/names/#")).isTrue();
    }

    @Test
    void onlyManyClientsTogetherCanExhaustThePatterns() {
        for (int client = 0; client < ALL / SHARE; client++) {
            RecordingSession session = session("client-" + client);
            for (int i = 0; i < SHARE; i++) {
                assertThat(subscribe(session, filter(client * SHARE + i))).isTrue();
            }
        }

        assertThat(trie.wildcardPatterns()).isEqualTo(ALL);
        assertThat(subscribe(first, filter(ALL))).isFalse();
        assertThat(subscribe(first, filter(0))).isTrue();
    }

    @Test
    void patternUsedByOtherClientsIsNotCharged() {
        for (int i = 0; i < SHARE; i++) {
            subscribe(first, filter(i));
            subscribe(second, filter(i).replace('a', 'b'));
        }

        assertThat(trie.wildcardPatterns(first.clientId())).isZero();
        for (int i = 0; i < SHARE; i++) {
            assertThat(subscribe(first, filter(SHARE + i))).isTrue();
        }
        assertThat(subscribe(first, filter(2 * SHARE))).isFalse();
    }

    @Test
    void unsubscribingReleasesTheShare() {
        for (int i = 0; i < SHARE; i++) {
            subscribe(first, filter(i));
        }
        unsubscribe(first, filter(0));

        assertThat(subscribe(first, filter(SHARE))).isTrue();
        assertThat(subscribe(first, filter(0))).isFalse();
    }

    @Test
    void resubscribingWithOtherOptionsIsNotCharged() {
        for (int i = 0; i < 2 * SHARE; i++) {
            assertThat(subscribe(first, filter(0))).isTrue();
            assertThat(subscribe(first, "$share/g/" + filter(0))).isTrue();
        }
        unsubscribe(first, filter(0));
        unsubscribe(first, "$share/g/" + filter(0));

        assertThat(trie.wildcardPatterns(first.clientId())).isZero();
        assertThat(trie.wildcardPatterns()).isZero();
    }

    @Test
    void rejectedAndRemovedFiltersAreNotCounted() {
        assertThat(subscribe(first, "+/+/+/+/+")).isFalse();
        assertThat(trie.wildcardPatterns(first.clientId())).isZero();
        assertThat(subscribe(first, "+/+/+")).isTrue();
        assertThat(subscribe(first, "+/b")).isTrue();
        assertThat(trie.wildcardPatterns(first.clientId())).isEqualTo(SHARE);
        unsubscribe(first, "+/+/+");

        assertThat(trie.wildcardPatterns(first.clientId())).isEqualTo(2);
    }

    @Test
    void ordinaryPatternsAreAlwaysAccepted() {
        SubscriptionTrie full = new SubscriptionTrie(new SubscriptionLimits(0, 0, 3, 10));

        // Wildcards among the first three of at most six levels.
        for (String ordinary : List.of("+", "+/+/+", "a/+/b/#", "a/b/+/d/e/f", "+/b/+/d/e/f")) {
            full.put(first, subscription(ordinary));
        }
        assertThat(full.wildcardPatterns()).isZero();
        for (String other : List.of("a/b/c/+", "+/+/+/+", "a/b/+/d/e/f/g")) {
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> full.put(first, subscription(other)))
                    .returns(ReasonCode.QUOTA_EXCEEDED, ProtocolException::reason);
        }
        assertThat(full.wildcardPatterns()).isZero();
    }

    @Test
    void numberOfOrdinaryPatternsIsAsDocumented() {
        SubscriptionTrie full = new SubscriptionTrie(new SubscriptionLimits(0, 0, 6, 10));
        SubscriptionTrie counting = new SubscriptionTrie(new SubscriptionLimits(10_000, 10_000, 0, 10));
        for (int depth = 1; depth <= 14; depth++) {
            for (int mask = 1; mask < 1 << Math.min(depth, 8); mask++) {
                String filter = filter(mask, depth);
                try {
                    full.put(first, subscription(filter));
                } catch (ProtocolException notOrdinary) {
                    continue;
                }
                counting.put(first, subscription(filter));
            }
        }

        assertThat(counting.wildcardPatterns()).isEqualTo(498);
    }

    private static String filter(int mask, int depth) {
        StringBuilder filter = new StringBuilder();
        for (int level = 0; level < depth; level++) {
            filter.append(level == 0 ? "" : "/").append((mask >>> level & 1) == 0 ? "a" : "+");
        }
        return filter.toString();
    }

    private boolean subscribe(RecordingSession session, String filter) {
        try {
            trie.put(session, subscription(filter));
            return true;
        } catch (ProtocolException refused) {
            assertThat(refused.reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            return false;
        }
    }

    private void unsubscribe(RecordingSession session, String filter) {
        trie.remove(session, TopicFilter.parse(filter, LEVELS));
    }

    private static Subscription subscription(String filter) {
        return new Subscription(TopicFilter.parse(filter, LEVELS), QoS.AT_MOST_ONCE, false, false, 0);
    }

    private static RecordingSession session(String clientId) {
        return new RecordingSession(clientId, new ManualEventLoop(0));
    }
}
