package io.heddle.core.session;

import static io.heddle.core.session.TestNode.RETAINED_LIMITS;
import static io.heddle.core.session.TestNode.SUBSCRIPTION_LIMITS;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.quota.ExceededLimit;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.subscription.SubscriptionLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node whose limits are below the state in the logs applies all of it, and refuses more until the state is below its limits again. */
final class LoweredLimitsTest {
    private static final long MEMORY = 1_000_000;

    private final TestNode node = new TestNode(TestNode.SETTINGS, MEMORY);

    private static TestClient connect(TestNode to, String clientId) {
        return to.connect(new Connect(clientId).persistent(60).packet());
    }

    private static ReasonCode subscribe(TestClient client, String filter) {
        return client.subscribe(QoS.AT_LEAST_ONCE, filter).subscribed().getLast();
    }

    private static void unsubscribe(TestClient client, String filter) {
        client.send(new UnsubscribePacket(2, List.of(), List.of(filter)));
    }

    @Test
    void wildcardPatternsAboveTheLimitAreApplied() {
        connect(node, "a").subscribe(QoS.AT_LEAST_ONCE, "+", "a/+", "a/a/+");
        connect(node, "b");

        TestNode next = node.restarted(MEMORY, new SubscriptionLimits(2, 5, 0, 10), RETAINED_LIMITS);

        assertThat(next.trie.size()).isEqualTo(3);
        assertThat(next.trie.exceededLimits())
                .containsExactly(new ExceededLimit("heddle.subscription.maximum-wildcard-patterns", 2, 3));
        TestClient b = connect(next, "b");
        assertThat(subscribe(b, "a/+")).as("no new pattern").isEqualTo(ReasonCode.GRANTED_QOS_1);
        assertThat(subscribe(b, "a/a/a/+")).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        TestClient a = connect(next, "a");
        unsubscribe(a, "+");
        unsubscribe(a, "a/a/+");
        assertThat(subscribe(b, "a/a/a/+")).as("below the limit again").isEqualTo(ReasonCode.GRANTED_QOS_1);
    }

    @Test
    void aClientKeepsPatternsThatItOnceSharedWithOthers() {
        SubscriptionLimits twoPerClient = new SubscriptionLimits(5, 2, 0, 10);
        TestNode first = node.restarted(MEMORY, twoPerClient, RETAINED_LIMITS);
        TestClient a = connect(first, "a");
        TestClient b = connect(first, "b");
        subscribe(a, "+");
        subscribe(b, "+");
        subscribe(a, "a/+");
        assertThat(subscribe(a, "a/a/+")).isEqualTo(ReasonCode.GRANTED_QOS_1);
        unsubscribe(b, "+");
        first.stores.clientLog.compact();

        TestNode next = first.restarted(MEMORY, twoPerClient, RETAINED_LIMITS);

        assertThat(next.trie.size()).isEqualTo(3);
        assertThat(next.trie.exceededLimits())
                .containsExactly(new ExceededLimit("heddle.subscription.maximum-wildcard-patterns-per-client", 2, 3));
    }

    @Test
    void groupMembersAboveTheLimitAreApplied() {
        connect(node, "a").subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");
        connect(node, "b").subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");
        connect(node, "c");

        TestNode next = node.restarted(MEMORY, new SubscriptionLimits(5, 5, 0, 1), RETAINED_LIMITS);

        assertThat(next.trie.size()).isEqualTo(2);
        assertThat(next.trie.exceededLimits())
                .containsExactly(new ExceededLimit("heddle.subscription.maximum-group-members", 1, 2));
        TestClient c = connect(next, "c");
        assertThat(subscribe(c, "$share/g/t")).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(subscribe(c, "$share/other/t")).isEqualTo(ReasonCode.GRANTED_QOS_1);
    }

    @Test
    void retainedMessagesAboveTheLimitsAreApplied() {
        TestClient publisher = node.connect("publisher");
        for (String topic : List.of("a", "b", "c")) {
            publisher.retain(topic, "x".repeat(1_000));
        }

        TestNode next = node.restarted(MEMORY, SUBSCRIPTION_LIMITS, new RetainedLimits(2, 1_500, 500, 1));

        assertThat(next.retained.size()).isEqualTo(3);
        assertThat(next.retained.exceededLimits())
                .extracting(ExceededLimit::setting)
                .containsExactly(
                        "heddle.retained.maximum-messages",
                        "heddle.retained.maximum-bytes",
                        "heddle.retained.maximum-payload");
        publisher = next.connect("other");
        publisher.retain("d", "1");
        assertThat(next.retained.size()).as("above the limits").isEqualTo(3);
        publisher.retain("a", "");
        publisher.retain("b", "");
        publisher.retain("d", "1");
        assertThat(next.retained.size()).as("below the limits again").isEqualTo(2);
    }

    @Test
    void sessionsAboveTheMemoryLimitAreApplied() {
        connect(node, "a").subscribe(QoS.AT_LEAST_ONCE, "a");
        connect(node, "b").subscribe(QoS.AT_LEAST_ONCE, "b");

        TestNode next = node.restarted(100, SUBSCRIPTION_LIMITS, RETAINED_LIMITS);

        assertThat(next.trie.size()).isEqualTo(2);
        assertThat(next.memory.exceededLimits()).hasSize(1);
        TestClient a = connect(next, "a");
        assertThat(a.connAck().sessionPresent()).isTrue();
        assertThat(subscribe(a, "c")).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
    }
}
