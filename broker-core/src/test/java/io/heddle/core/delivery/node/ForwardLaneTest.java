package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.routing.NodeRecipients;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.testkit.InMemoryLinks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ForwardLaneTest {
    private static final byte[] MESSAGE = new byte[10_000];

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RemoteNode node = new RemoteNode(new Incarnation(1, 0));
    private final MemoryBudget memory = new MemoryBudget(1L << 30, registry);
    // The other node has not joined, so that no frame is accepted.
    private final ForwardLane lane = new ForwardLane(
            node,
            1,
            new InMemoryLinks(1, 1 << 20, 1 << 20).node(new Incarnation(0, 0)),
            memory,
            new ForwardMetrics(new Ledger(registry), registry));

    private boolean send() {
        return lane.send(
                new ForwardFrame.Envelope(
                        NodeRecipients.SUBSCRIBERS | NodeRecipients.ACKNOWLEDGED, 0, 0, null, 0, List.of()),
                MESSAGE,
                new Receipts());
    }

    private double dropped() {
        return registry.get("heddle.messages.dropped")
                .tag("reason", "node_unreachable")
                .counter()
                .count();
    }

    @Test
    void messagesForASuspectedNodeAreKeptUpToALimit() {
        node.suspected(true);
        int messages = 2 * ForwardLane.KEPT_BYTES / MESSAGE.length;
        for (int i = 0; i < messages; i++) {
            assertThat(send()).as("no publisher waits").isFalse();
        }

        assertThat(memory.chargedBytes()).isBetween(ForwardLane.KEPT_BYTES - 20_000L, (long) ForwardLane.KEPT_BYTES);
        assertThat(dropped()).isBetween(messages / 2.0 - 5, messages / 2.0 + 20);
    }

    @Test
    void messagesForANodeThatCanBeReachedAreKeptAboveTheLimitBecauseTheirPublishersWait() {
        int messages = 2 * ForwardLane.KEPT_BYTES / MESSAGE.length;
        for (int i = 0; i < messages; i++) {
            assertThat(send()).isTrue();
        }

        assertThat(memory.chargedBytes()).isGreaterThan(ForwardLane.KEPT_BYTES);
        assertThat(dropped()).isZero();
    }

    @Test
    void nothingIsKeptForANodeThatHasEnded() {
        node.end();

        assertThat(send()).isFalse();
        assertThat(memory.chargedBytes()).isZero();
        assertThat(dropped()).isOne();
    }
}
