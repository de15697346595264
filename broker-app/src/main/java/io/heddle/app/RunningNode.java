package io.heddle.app;

import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.lifecycle.NodeStatus;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.subscription.SubscriptionTrie;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** This node, as administrators look at it. Thread-safe. */
final class RunningNode implements Node {
    private final String version;
    private final Broker broker;
    private final MqttListeners listeners;
    private final LocalSessions sessions;
    private final SubscriptionTrie trie;
    private final long startedNanos = System.nanoTime();
    private final Instant startedAt;

    RunningNode(
            String version,
            Broker broker,
            MqttListeners listeners,
            LocalSessions sessions,
            SubscriptionTrie trie,
            Clock clock) {
        this.version = version;
        this.broker = broker;
        this.listeners = listeners;
        this.sessions = sessions;
        this.trie = trie;
        this.startedAt = clock.instant();
    }

    @Override
    public NodeStatus status() {
        return new NodeStatus(
                version,
                broker.state(),
                startedAt,
                Duration.ofNanos(System.nanoTime() - startedNanos),
                List.copyOf(listeners.urls().values()),
                sessions.connectedCount(),
                trie.size());
    }
}
