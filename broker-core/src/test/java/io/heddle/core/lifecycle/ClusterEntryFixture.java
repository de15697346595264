package io.heddle.core.lifecycle;

import io.heddle.core.cluster.BucketOwnership;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.InMemoryProducerFencing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;

/** Nodes of a cluster of four buckets that enter it through one log. */
abstract class ClusterEntryFixture {
    static final Set<Integer> ALL = Set.of(0, 1, 2, 3);
    static final Duration BEAT = Duration.ofMillis(20);
    static final Duration LEASE = Duration.ofSeconds(2);
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    final InMemoryProducerFencing fencing = new InMemoryProducerFencing();
    /** The processes that are known to have ended. */
    final Set<String> ended = ConcurrentHashMap.newKeySet();
    /** The time by which a takeover is measured. */
    volatile long nanos;

    private final List<ClusterEntry> entries = new ArrayList<>();

    /** Returns the last record of the log besides heartbeats, of which one may follow when its node has left. */
    NodeRecord lastChange() {
        return log.records().stream()
                .filter(each -> !(each instanceof Heartbeat))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    /** A node that has not started yet. */
    final class Node {
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        final ClusterRole role = new ClusterRole(() -> nanos, registry);
        /** The nodes that served while this node stood by. */
        final List<Member> owners = new CopyOnWriteArrayList<>();

        final Membership membership;
        final ClusterEntry entry;
        private final BucketTakeover takeover;

        Node(String id, boolean isAlone, Duration timeout, ProducerFencing fencing, InstantSource clock) {
            MembershipSettings settings = new MembershipSettings(
                    new NodeDescription(new NodeId(id), "10.0.0.5", "", 1, 3), isAlone, LEASE, BEAT, timeout);
            membership = new Membership(
                    log.node(),
                    settings,
                    View.atBeginning(0, ALL.size(), BucketOwnership.ONE_NODE),
                    ended::contains,
                    RoutingLease.unlimited(),
                    System::nanoTime,
                    _ -> {},
                    registry);
            entry = new ClusterEntry(membership, settings, clock::millis, RandomGenerator.getDefault());
            takeover = new BucketTakeover(membership, fencing, settings, clock::millis, role, owners::add);
            entries.add(entry);
        }

        /** Joins and takes the buckets; leaves if that fails. */
        Node start() {
            new Broker(List.of(entry, takeover)).start();
            return this;
        }

        Incarnation me() {
            return membership.incarnation();
        }
    }

    @AfterEach
    void stopHeartbeats() {
        entries.forEach(ClusterEntry::stop);
    }

    Node node(String id) {
        return node(id, InstantSource.system());
    }

    Node node(String id, InstantSource clock) {
        return new Node(id, false, TIMEOUT, fencing, clock);
    }

    Node node(String id, Duration timeout, ProducerFencing fencing) {
        return new Node(id, false, timeout, fencing, InstantSource.system());
    }

    /** Lets a node join that never writes again. */
    Incarnation dead(String id) throws Exception {
        Joined joined = new Joined(
                new NodeDescription(new NodeId(id), "", "process of " + id, 1, 3),
                RandomGenerator.getDefault().nextInt());
        long offset = log.node().append(joined).toCompletableFuture().get().offset();
        return new Incarnation(offset, joined.random());
    }

    /** Lets a node with a feature level join that never writes again. */
    void member(String id, int featureLevel) {
        append(new Joined(
                new NodeDescription(new NodeId(id), "10.0.0.6", "", featureLevel, 3),
                RandomGenerator.getDefault().nextInt()));
    }

    void append(NodeRecord record) {
        log.node().append(record).toCompletableFuture().join();
    }
}
