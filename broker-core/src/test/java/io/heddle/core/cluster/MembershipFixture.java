package io.heddle.core.cluster;

import io.heddle.core.testkit.InMemoryNodeLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A log of nodes, and nodes that read and write it. */
abstract class MembershipFixture {
    static final int LEASE = 10;
    static final Duration SHORT = Duration.ofMillis(100);

    final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    final Set<String> ended = new HashSet<>();
    long nanos;

    /** A node with its own view of the log. */
    final class Node {
        final InMemoryNodeLog.OfNode ownLog = log.node();
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        final List<String> over = new ArrayList<>();
        final RoutingLease lease = new RoutingLease(Duration.ofSeconds(5), () -> nanos, registry);
        final Map<Incarnation, Long> silentLinks = new HashMap<>();
        final Membership membership;

        Node(String id) {
            membership = new Membership(
                    ownLog,
                    new MembershipSettings(
                            new NodeDescription(new NodeId(id), "10.0.0.5", "process of " + id, 1, 3),
                            false,
                            Duration.ofSeconds(LEASE),
                            Duration.ofSeconds(1),
                            SHORT),
                    View.atBeginning(0, 4),
                    ended::contains,
                    lease,
                    () -> nanos,
                    over::add,
                    registry);
            membership.observeLinks(member -> silentLinks.getOrDefault(member, 0L));
        }

        /** The link to another node does not work. */
        void loses(Node other) {
            silentLinks.put(other.me(), Long.MAX_VALUE);
        }

        Node join() throws InterruptedException {
            membership.join(id());
            return this;
        }

        int id() {
            return System.identityHashCode(this);
        }

        Incarnation me() {
            return membership.incarnation();
        }

        View view() {
            return membership.view();
        }

        void beats(int count) {
            for (int i = 0; i < count; i++) {
                nanos += TimeUnit.SECONDS.toNanos(1);
                membership.beat();
            }
        }
    }
}
