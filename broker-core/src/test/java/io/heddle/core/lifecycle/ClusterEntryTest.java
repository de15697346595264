package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.ClusterRole.Role;
import io.heddle.core.link.NoLinks;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.InMemoryProducerFencing;
import io.heddle.core.testkit.InMemoryProducerFencing.Producer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterEntryTest {
    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);
    private static final Duration BEAT = Duration.ofMillis(20);
    private static final Duration LEASE = Duration.ofMillis(200);

    private final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    private final InMemoryProducerFencing fencing = new InMemoryProducerFencing();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private volatile long nanos;
    private final List<ClusterEntry> entries = new ArrayList<>();

    private final class Node {
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        private final ClusterRole role = new ClusterRole(() -> nanos, registry);
        private final List<Member> owners = new CopyOnWriteArrayList<>();
        private final Membership membership;
        private final ClusterEntry entry;

        Node(String id, boolean isAlone, InstantSource clock) {
            MembershipSettings settings = new MembershipSettings(
                    new NodeDescription(new NodeId(id), "10.0.0.5", "", 1, 3),
                    isAlone,
                    LEASE,
                    BEAT,
                    Duration.ofSeconds(20));
            membership = new Membership(
                    log.node(),
                    settings,
                    ALL.size(),
                    ended::contains,
                    RoutingLease.unlimited(),
                    System::nanoTime,
                    _ -> {},
                    registry);
            entry = new ClusterEntry(
                    membership, fencing, settings, clock::millis, RandomGenerator.getDefault(), role, owners::add);
            entries.add(entry);
        }

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

    @Test
    void theFirstNodeTakesAllBuckets() {
        Node a = node("a").start();

        assertThat(a.membership.view().heldBy(a.me())).isEqualTo(ALL);
        assertThat(log.records().getFirst()).isInstanceOf(Joined.class);
        assertThat(log.records()).containsSubsequence(List.<NodeRecord>of(new Serving(a.me()), new Took(a.me(), ALL)));
        await().until(() -> log.records().stream().anyMatch(Heartbeat.class::isInstance));

        a.entry.stop();
        assertThat(log.records().getLast()).isEqualTo(new Left(a.me()));
    }

    @Test
    void theIdsOfARunThatEndedWithoutLeavingAreFencedAfterItsDeathIsRecorded() throws Exception {
        Incarnation before = dead("a");
        Producer producer = fencing.initialise(new TransactionalId(before, 0));

        Node a = node("a").start();

        assertThat(producer.commits()).isFalse();
        assertThat(a.membership.view().members()).hasSize(1);
        assertThat(log.records()).contains(new Dead(a.me(), before, before.offset()));
    }

    @Test
    void theIdsOfANodeThatTheLogHasForgottenAreFenced() {
        Producer forgotten = fencing.initialise(new TransactionalId(new Incarnation(1_000, 3), 1));

        node("a").start();

        assertThat(forgotten.commits()).isFalse();
    }

    @Test
    void aNodeThatIsAloneDoesNotWaitForEarlierRuns() throws Exception {
        Incarnation same = dead("a");
        Incarnation other = dead("b");

        Node a = new Node("a", true, InstantSource.system()).start();

        assertThat(log.records())
                .contains(new Dead(a.me(), same, same.offset()), new Dead(a.me(), other, other.offset()));
        assertThat(log.records().stream().filter(Heartbeat.class::isInstance).count())
                .isLessThan(LEASE.dividedBy(BEAT));
    }

    @Test
    void aNodeWhoseEarlierProcessHasEndedDoesNotWait() throws Exception {
        Incarnation before = dead("a");
        ended.add("process of a");

        Node a = node("a").start();

        assertThat(log.records()).contains(new Dead(a.me(), before, before.offset()));
        assertThat(log.records().stream().filter(Heartbeat.class::isInstance).count())
                .isLessThan(LEASE.dividedBy(BEAT));
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
    void theSecondNodeWaitsUntilTheFirstLeaves() {
        Node first = node("a").start();
        Producer producer = fencing.initialise(new TransactionalId(first.me(), 0));
        Node second = node("b");
        CompletableFuture<Void> started = CompletableFuture.runAsync(second.entry::start);
        await().until(() ->
                log.records().stream().filter(Serving.class::isInstance).count() == 2);
        assertThat(started).isNotDone();
        assertThat(producer.commits()).isTrue();
        await().until(() -> second.role.role() == Role.STANDBY);
        assertThat(second.owners).extracting(Member::incarnation).containsExactly(first.me());
        View view = second.membership.view();
        assertThat(ClusterNode.other(second.owners.getFirst(), view, new NoLinks())
                        .role())
                .isEqualTo(Role.SERVING);

        first.entry.stop();

        assertThat(started).succeedsWithin(Duration.ofSeconds(20));
        assertThat(second.membership.view().heldBy(second.me())).isEqualTo(ALL);
        assertThat(producer.commits()).isFalse();
        assertThat(second.role.role()).isEqualTo(Role.TAKING_OVER);
        nanos = TimeUnit.SECONDS.toNanos(3);
        second.role.start();
        assertThat(second.role.role()).isEqualTo(Role.SERVING);
        assertThat(second.registry.get("heddle.cluster.takeovers").counter().count())
                .isEqualTo(1);
        assertThat(second.registry
                        .get("heddle.cluster.takeover.last")
                        .timeGauge()
                        .value(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void aNodeThatNeverWaitedTakesOverFromNobody() {
        Node a = node("a").start();
        a.role.start();

        assertThat(a.role.role()).isEqualTo(Role.SERVING);
        assertThat(a.owners).isEmpty();
        assertThat(a.registry.get("heddle.cluster.serving").gauge().value()).isEqualTo(1);
        assertThat(a.registry.get("heddle.cluster.takeovers").counter().count()).isZero();
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
        assertThat(log.records().getLast()).isInstanceOf(Left.class);
    }

    /** Fences like Kafka; a test acts between the answer of the list and what the node does next. */
    private final class SlowFencing implements ProducerFencing {
        private Runnable meanwhile = () -> {};
        private volatile boolean away;

        @Override
        public CompletionStage<Set<TransactionalId>> unfenced() {
            if (away) {
                return CompletableFuture.failedFuture(new StoreUnavailableException("a broker is down", null));
            }
            var listed = fencing.unfenced();
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return listed;
        }

        @Override
        public CompletionStage<Void> fence(Set<TransactionalId> ids) {
            return fencing.fence(ids);
        }
    }

    private ClusterEntry entry(Membership membership, SlowFencing slow, ClusterRole role, MembershipSettings settings) {
        ClusterEntry entry = new ClusterEntry(
                membership,
                slow,
                settings,
                InstantSource.system()::millis,
                RandomGenerator.getDefault(),
                role,
                _ -> {});
        entries.add(entry);
        return entry;
    }

    private static MembershipSettings settings(String id) {
        return settings(id, Duration.ofSeconds(20));
    }

    private static MembershipSettings settings(String id, Duration timeout) {
        return new MembershipSettings(new NodeDescription(new NodeId(id), "", "", 1, 3), false, LEASE, BEAT, timeout);
    }

    private Membership membership(MembershipSettings settings) {
        return new Membership(
                log.node(),
                settings,
                ALL.size(),
                ended::contains,
                RoutingLease.unlimited(),
                System::nanoTime,
                _ -> {},
                new SimpleMeterRegistry());
    }

    private void append(NodeRecord record) {
        log.node().append(record).toCompletableFuture().join();
    }

    /** It joined first, waited for an earlier run of itself, and becomes the owner while this node takes the buckets. */
    @Test
    void aNodeWhoseBucketsAnotherTakesStandsBy() throws Exception {
        Incarnation other = dead("q");
        SlowFencing slow = new SlowFencing();
        MembershipSettings settings = settings("p");
        Membership membership = membership(settings);
        ClusterRole role = new ClusterRole(() -> nanos, new SimpleMeterRegistry());
        slow.meanwhile = () -> {
            append(new Serving(other));
            append(new Took(other, ALL));
        };
        // Not the common pool, which the endless loop of this start would block for the other tests.
        CompletableFuture<Void> started = CompletableFuture.runAsync(
                entry(membership, slow, role, settings)::start,
                task -> Thread.ofPlatform().daemon().start(task));
        await().until(() -> log.records().stream().anyMatch(each -> each.equals(new Took(other, ALL))));
        await().until(() -> role.role() == Role.STANDBY);
        long took = tooks(membership.incarnation());
        for (int i = 0; i < 5; i++) {
            append(new Serving(other));
            boolean _ = membership.await(_ -> false, BEAT);
        }
        assertThat(tooks(membership.incarnation()))
                .as("it takes nothing while another node serves")
                .isEqualTo(took);

        append(new Left(other));
        started.get(20, TimeUnit.SECONDS);
        assertThat(membership.view().heldBy(membership.incarnation())).isEqualTo(ALL);
    }

    private long tooks(Incarnation writer) {
        return log.records().stream()
                .filter(each -> each instanceof Took took && took.writer().equals(writer))
                .count();
    }

    @Test
    void aNodeThatServedAndLeftDuringTheFenceIsFencedBeforeItsBucketsAreTaken() throws Exception {
        Incarnation other = dead("q");
        SlowFencing slow = new SlowFencing();
        MembershipSettings settings = settings("p");
        Membership membership = membership(settings);
        List<Producer> producers = new CopyOnWriteArrayList<>();
        slow.meanwhile = () -> {
            append(new Serving(other));
            append(new Took(other, ALL));
            producers.add(fencing.initialise(new TransactionalId(other, 0)));
            append(new Left(other));
        };
        entry(membership, slow, new ClusterRole(() -> nanos, new SimpleMeterRegistry()), settings)
                .start();

        assertThat(membership.view().heldBy(membership.incarnation())).isEqualTo(ALL);
        assertThat(producers.getFirst().commits())
                .as("a commit of the node that has left")
                .isFalse();
    }

    @Test
    void aStandbyRetriesTheFenceAsLongAsItTakes() throws Exception {
        Node first = node("a").start();
        SlowFencing slow = new SlowFencing();
        slow.away = true;
        MembershipSettings settings = settings("b", Duration.ofMillis(300));
        Membership membership = membership(settings);
        ClusterRole role = new ClusterRole(() -> nanos, new SimpleMeterRegistry());
        CompletableFuture<Void> started = CompletableFuture.runAsync(entry(membership, slow, role, settings)::start);
        await().until(() -> role.role() == Role.STANDBY);
        first.entry.stop();
        await().until(() -> role.role() == Role.TAKING_OVER);
        assertThat(membership.await(_ -> started.isDone(), Duration.ofMillis(900)))
                .as("it ends after its timeout")
                .isFalse();

        slow.away = false;
        started.get(20, TimeUnit.SECONDS);
        assertThat(membership.view().heldBy(membership.incarnation())).isEqualTo(ALL);
    }

    @Test
    void aNodeThatStartsAloneGivesTheFenceUp() {
        SlowFencing slow = new SlowFencing();
        slow.away = true;
        MembershipSettings settings = settings("a", Duration.ofMillis(300));
        ClusterEntry entry =
                entry(membership(settings), slow, new ClusterRole(() -> nanos, new SimpleMeterRegistry()), settings);

        assertThatThrownBy(entry::start).isInstanceOf(StartupException.class).hasMessageContaining("a broker is down");
        assertThat(log.records().getLast()).isInstanceOf(Left.class);
    }

    @Test
    void aStandbyWhoseClockIsWrongByNowDoesNotTakeOver() {
        Node first = node("a").start();
        AtomicLong difference = new AtomicLong();
        Node second = node("b", () -> InstantSource.system().instant().plusMillis(difference.get()));
        CompletableFuture<Node> started = CompletableFuture.supplyAsync(second::start);
        await().until(() -> second.role.role() == Role.STANDBY);
        difference.set(40_000);
        first.entry.stop();

        assertThatThrownBy(() -> started.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StartupException.class)
                .hasMessageContaining("ahead of the clock of Kafka");
        assertThat(log.records().getLast()).isInstanceOf(Left.class);
    }

    private Node node(String id) {
        return node(id, InstantSource.system());
    }

    private Node node(String id, InstantSource clock) {
        return new Node(id, false, clock);
    }

    /** Lets a node join that never writes again. */
    private Incarnation dead(String id) throws Exception {
        Joined joined = new Joined(
                new NodeDescription(new NodeId(id), "", "process of " + id, 1, 3),
                RandomGenerator.getDefault().nextInt());
        long offset = log.node().append(joined).toCompletableFuture().get().offset();
        return new Incarnation(offset, joined.random());
    }
}
