package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.watchdog.Watchdog;
import io.heddle.core.watchdog.WatchedThreads;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that enter a cluster through one log. */
class ClusterEntryTest {
    private static final Duration BEAT = Duration.ofMillis(20);
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    /** The processes that are known to have ended. */
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    private final List<ClusterEntry> entries = new ArrayList<>();

    /** A node that has not started yet. */
    private final class Node {
        private final Membership membership;
        private final ClusterEntry entry;

        Node(String id, boolean isAlone, InstantSource clock) {
            MembershipSettings settings = new MembershipSettings(
                    new NodeDescription(new NodeId(id), "10.0.0.5", "", NodeDescription.FORMATS, 3),
                    isAlone,
                    LEASE,
                    BEAT,
                    TIMEOUT);
            membership = new Membership(
                    log.node(),
                    settings,
                    View.atBeginning(0, 4),
                    ended::contains,
                    RoutingLease.unlimited(),
                    System::nanoTime,
                    _ -> {},
                    new SimpleMeterRegistry());
            entry = new ClusterEntry(
                    membership,
                    settings,
                    new Watchdog(new WatchedThreads(), 6, new SimpleMeterRegistry()),
                    clock::millis,
                    RandomGenerator.getDefault());
            entries.add(entry);
        }

        /** Joins; leaves if that fails. */
        Node start() {
            entry.start();
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

    private Node node(String id) {
        return node(id, InstantSource.system());
    }

    private Node node(String id, InstantSource clock) {
        return new Node(id, false, clock);
    }

    /** Lets a node join that never writes again. */
    private Incarnation dead(String id) {
        return join(new NodeDescription(new NodeId(id), "", "process of " + id, NodeDescription.FORMATS, 3));
    }

    private Incarnation join(NodeDescription node) {
        Joined joined = new Joined(node, RandomGenerator.getDefault().nextInt());
        long offset = log.node().append(joined).toCompletableFuture().join().offset();
        return new Incarnation(offset, joined.random());
    }

    /** Returns the last record of the log besides heartbeats, of which one may follow when its node has left. */
    private NodeRecord lastChange() {
        return log.records().stream()
                .filter(each -> !(each instanceof Heartbeat))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private long heartbeats() {
        return log.records().stream().filter(Heartbeat.class::isInstance).count();
    }

    @Test
    void aNodeJoinsWritesHeartbeatsAndLeaves() {
        Node a = node("a").start();

        assertThat(log.records().getFirst()).isInstanceOf(Joined.class);
        await().until(() -> heartbeats() > 0);

        a.entry.stop();
        assertThat(lastChange()).isEqualTo(new Left(a.me()));
    }

    @Test
    void aRunThatEndedWithoutLeavingIsDeclaredDead() {
        Incarnation before = dead("a");

        Node a = node("a").start();

        assertThat(a.membership.view().members()).hasSize(1);
        assertThat(log.records()).contains(new Dead(a.me(), before, before.offset()));
    }

    @Test
    void aNodeThatIsAloneDoesNotWaitForEarlierRuns() {
        Incarnation same = dead("a");
        Incarnation other = dead("b");

        Node a = new Node("a", true, InstantSource.system()).start();

        assertThat(log.records())
                .contains(new Dead(a.me(), same, same.offset()), new Dead(a.me(), other, other.offset()));
        assertThat(heartbeats()).isLessThan(LEASE.dividedBy(BEAT));
    }

    @Test
    void aNodeWhoseEarlierProcessHasEndedDoesNotWait() {
        Incarnation before = dead("a");
        ended.add("process of a");

        Node a = node("a").start();

        assertThat(log.records()).contains(new Dead(a.me(), before, before.offset()));
        assertThat(heartbeats()).isLessThan(LEASE.dividedBy(BEAT));
    }

    @Test
    void aNodeIdThatIsInUseIsRefused() {
        Node first = node("a").start();
        Node second = node("a");

        assertThatThrownBy(second::start)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("the node id a is in use by a running node at 10.0.0.5")
                .hasMessageContaining("set heddle.node.id");
        assertThat(first.membership.view().members()).hasSize(1);
        assertThat(log.records()).contains(new Left(second.me()));
        assertThat(first.membership.isOver()).isFalse();
    }

    @Test
    void aNodeOfAnotherBuildIsRefused() {
        join(new NodeDescription(new NodeId("b"), "10.0.0.6", "", NodeDescription.FORMATS - 1, 3));
        Node a = node("a");

        assertThatThrownBy(a::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching(
                        "node b at 10\\.0\\.0\\.6 \\(incarnation .*\\) is of another build of Heddle, which has the"
                                + " formats %d, and this one has the formats %d: start all nodes with the same build"
                                        .formatted(NodeDescription.FORMATS - 1, NodeDescription.FORMATS));
        assertThat(log.records()).contains(new Left(a.me()));
    }

    @Test
    void aWrongClockIsRefused() {
        InstantSource ahead = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(40));
        InstantSource behind = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(-40));

        assertThatThrownBy(node("a", ahead)::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching("the clock of this machine is (39|40) s ahead of the clock of Kafka, .*");
        assertThatThrownBy(node("b", behind)::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching("the clock of this machine is (39|40) s behind the clock of Kafka, .*");
        assertThat(lastChange()).isInstanceOf(Left.class);
    }
}
