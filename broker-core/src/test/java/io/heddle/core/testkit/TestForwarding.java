package io.heddle.core.testkit;

import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.NodeForwarding;
import io.heddle.core.link.NoLinks;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.routing.interest.ClusterPeers;
import io.heddle.core.subscription.SubscriptionTrie;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;

/** The forwarding of a node whose cluster has no other one. */
public final class TestForwarding {
    private TestForwarding() {}

    public static Forwarding alone(SubscriptionTrie trie, MeterRegistry metrics) {
        ManualEventLoop loop = new ManualEventLoop(0);
        return new NodeForwarding(
                new ClusterPeers(loop, trie.nodes()),
                trie.nodes(),
                List.of(loop),
                new NoLinks(),
                new MemoryBudget(1_000_000, metrics),
                new SteadyClock(InstantSource.system(), System::nanoTime),
                new Ledger(metrics),
                metrics);
    }
}
