package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.BucketOwnership;
import io.heddle.core.cluster.EndNotices;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.InMemoryEndNotices;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.InMemoryProducerFencing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndWatchTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Incarnation FORGOTTEN = new Incarnation(1_000_000, 1);

    private final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    private final InMemoryProducerFencing fencing = new InMemoryProducerFencing();
    private final InMemoryEndNotices notices = new InMemoryEndNotices();
    private long nanos;

    /** A node that has joined. */
    private final class Node {
        private final InMemoryNodeLog.OfNode ownLog = log.node();
        private final List<String> over = new ArrayList<>();
        private final Membership membership;
        private final EndWatch watch;
        private final EndedNodes ended;

        Node(String id) throws InterruptedException {
            this(id, BEAT);
        }

        Node(String id, Duration interval) throws InterruptedException {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            MembershipSettings settings = new MembershipSettings(
                    new NodeDescription(new NodeId(id), "10.0.0.5", "", 1, 3), false, LEASE, interval, SHORT);
            RoutingLease lease = new RoutingLease(settings.routingLease(), () -> nanos, registry);
            membership = new Membership(
                    ownLog,
                    settings,
                    View.atBeginning(0, 4, BucketOwnership.DIVIDED),
                    _ -> false,
                    lease,
                    () -> nanos,
                    over::add,
                    registry);
            watch = new EndWatch(membership, lease, notices, settings);
            ended = new EndedNodes(new NodeRecords(ownLog, membership), fencing, watch);
            membership.join(System.identityHashCode(this));
        }

        Incarnation me() {
            return membership.incarnation();
        }

        /** Neither reads nor writes the log any more. */
        void loseKafka() {
            ownLog.pause();
            ownLog.failWith(new StoreUnavailableException("Kafka is away", null));
        }

        void fence() {
            ended.fence().toCompletableFuture().join();
        }

        void runs() {
            membership.beat();
            watch.run();
        }
    }

    /** Each of these nodes runs once in each of these intervals. */
    private void run(int intervals, Node... nodes) {
        for (int i = 0; i < intervals; i++) {
            nanos += BEAT.toNanos();
            for (Node node : nodes) {
                node.runs();
            }
        }
    }

    @Test
    void aNodeThatAloneLosesKafkaIsOverOnceItIsFenced() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        Node c = new Node("c");
        run(1, a, b, c);

        a.loseKafka();
        run(20, a, b, c);
        assertThat(b.membership.view().isMember(a.me())).isFalse();
        assertThat(a.over).as("no node has fenced it").isEmpty();
        b.fence();
        run(2, a, b, c);

        assertThat(a.over)
                .containsExactly(
                        "This node is over: another node has declared this node dead while Kafka did not answer it (incarnation "
                                + a.me() + "); start it again");
        assertThat(b.over).isEmpty();
        assertThat(c.over).isEmpty();
    }

    @Test
    void noNodeIsOverWhileKafkaAnswersNone() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        run(1, a, b);

        a.loseKafka();
        b.loseKafka();
        for (int i = 0; i < 100; i++) {
            run(1, a, b);
            a.fence();
            b.fence();
        }

        assertThat(a.over).isEmpty();
        assertThat(b.over).isEmpty();
        assertThat(notices.all()).isEmpty();
    }

    @Test
    void aNodeLooksForItsNoticeOnlyAfterTheRoutingLeaseHasEndedForALease() throws Exception {
        Node a = new Node("a");
        run(3, a);
        int reads = notices.reads();
        a.loseKafka();

        run(14, a);
        assertThat(notices.reads()).isEqualTo(reads);
        run(1, a);
        assertThat(notices.reads()).isEqualTo(reads + 1);
    }

    @Test
    void aNoticeDoesNotEndANodeWhoseLeaseIsValid() throws Exception {
        Node a = new Node("a");
        notices.add(Set.of(a.me()));

        run(100, a);

        assertThat(a.over).isEmpty();
    }

    @Test
    void theNoticeOfAnotherRunEndsNoNode() throws Exception {
        Node a = new Node("a");
        notices.add(Set.of(FORGOTTEN, new Incarnation(a.me().offset(), a.me().random() + 1)));
        a.loseKafka();

        run(100, a);

        assertThat(a.over).isEmpty();
    }

    @Test
    void whileTheNoticesAreAwayNothingEnds() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        run(1, a, b);
        a.loseKafka();
        notices.setAway(true);
        run(20, a, b);
        b.fence();

        run(100, a, b);
        assertThat(a.over).isEmpty();
        notices.setAway(false);
        run(2, a, b);

        assertThat(notices.all()).containsExactly(a.me());
        assertThat(a.over).hasSize(1);
        assertThat(b.over).isEmpty();
    }

    @Test
    void aNodeThatTheLogHasForgottenIsNotedWhenItIsFenced() throws Exception {
        Node a = new Node("a");
        var _ = fencing.initialise(new TransactionalId(FORGOTTEN, 2));

        a.fence();
        run(1, a);

        assertThat(notices.all()).containsExactly(FORGOTTEN);
    }

    @Test
    void aNodeThatWasFencedByAnEndedNodeIsNotedByTheNextOne() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        var _ = fencing.initialise(new TransactionalId(a.me(), 0));
        run(1, a, b);
        run(20, b);
        b.fence();

        Node c = new Node("c");
        run(20, c);
        c.fence();
        run(1, c);

        assertThat(notices.all()).contains(a.me(), b.me());
    }

    @Test
    void eachEndIsNotedOnce() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        run(1, a, b);
        run(20, b);

        for (int i = 0; i < 10; i++) {
            b.fence();
            run(1, b);
        }

        assertThat(notices.all()).containsExactly(a.me());
        assertThat(notices.writes()).isOne();
    }

    @Test
    void theLatestEndsArePendingWhileTheNoticesAreAway() throws Exception {
        Node a = new Node("a");
        notices.setAway(true);
        for (int i = 0; i < EndNotices.CAPACITY + 10; i++) {
            var _ = fencing.initialise(new TransactionalId(new Incarnation(FORGOTTEN.offset() + i, i), 0));
            a.fence();
            run(1, a);
        }
        notices.setAway(false);
        run(1, a);

        assertThat(notices.all())
                .hasSize(EndNotices.CAPACITY)
                .doesNotContain(new Incarnation(FORGOTTEN.offset() + 9, 9))
                .contains(new Incarnation(FORGOTTEN.offset() + 10, 10));
    }

    @Test
    void aMemberThatALateReaderTookForDeadIsNotNoted() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        long before = Objects.requireNonNull(b.membership.view().member(a.me())).lastRecord();
        run(1, a, b);
        // Void, but a reader that begins with the heartbeat of b cannot know.
        b.membership.write(new Dead(b.me(), a.me(), before));
        log.deleteBelow(log.records().size() - 2);
        Node c = new Node("c");
        assertThat(c.membership.view().endedSince(0)).containsExactly(a.me());
        c.fence();

        run(1, a, b, c);

        assertThat(c.membership.view().isMember(a.me())).isTrue();
        assertThat(notices.all()).isEmpty();
    }

    @Test
    void itRunsOnAThreadOfItsOwnFromTheStartToTheStop() throws Exception {
        Node a = new Node("a", Duration.ofMillis(5));
        var _ = fencing.initialise(new TransactionalId(FORGOTTEN, 0));
        a.fence();
        a.watch.start();
        try {
            await().until(() -> notices.all().contains(FORGOTTEN));
        } finally {
            a.watch.stop();
        }
    }
}
