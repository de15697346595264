package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.BucketOwnership;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.InMemoryOwnerNotice;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TakeoverWatchTest {
    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    private final InMemoryOwnerNotice notice = new InMemoryOwnerNotice();
    private long nanos;

    /** A node that has taken the buckets, if they were free. Only an owner runs its watch. */
    private final class Node {
        private final InMemoryNodeLog.OfNode ownLog = log.node();
        private final List<String> over = new ArrayList<>();
        private final Membership membership;
        private final TakeoverWatch watch;

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
                    View.atBeginning(0, ALL.size(), BucketOwnership.ONE_NODE),
                    _ -> false,
                    lease,
                    () -> nanos,
                    over::add,
                    registry);
            watch = new TakeoverWatch(membership, lease, notice, settings);
            membership.join(System.identityHashCode(this));
            membership.write(new Serving(me()));
            take();
        }

        final void take() throws InterruptedException {
            membership.write(new Took(me(), ALL));
        }

        final Incarnation me() {
            return membership.incarnation();
        }

        /** Neither reads nor writes the log any more. */
        void loseKafka() {
            ownLog.pause();
            ownLog.failWith(new StoreUnavailableException("Kafka is away", null));
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
    void aNodeThatAloneLosesKafkaIsOverOnceAnotherOneHasTakenOver() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        run(1, a);
        assertThat(notice.read()).isEqualTo(a.me());

        a.loseKafka();
        for (int i = 0; i < 15; i++) {
            run(1, a);
            b.membership.beat();
        }
        assertThat(b.membership.view().isMember(a.me())).isFalse();
        assertThat(a.over).as("no node has taken over").isEmpty();
        b.take();
        b.watch.run();
        run(1, a, b);

        assertThat(a.over)
                .containsExactly(
                        "This node is over: another node has taken over (incarnation " + b.me() + "); start it again");
        assertThat(b.over).isEmpty();
    }

    @Test
    void noNodeIsOverWhileKafkaAnswersNone() throws Exception {
        Node a = new Node("a");
        run(1, a);
        Node b = new Node("b");

        a.loseKafka();
        b.loseKafka();
        for (int i = 0; i < 100; i++) {
            run(1, a);
            b.membership.beat();
        }

        assertThat(a.over).isEmpty();
        assertThat(b.over).isEmpty();
        assertThat(notice.read()).isEqualTo(a.me());
    }

    @Test
    void theNoticeIsReadOnlyAfterTheRoutingLeaseHasEndedForALease() throws Exception {
        Node a = new Node("a");
        run(3, a);
        int reads = notice.reads();
        a.loseKafka();

        run(14, a);
        assertThat(notice.reads()).isEqualTo(reads);
        run(1, a);
        assertThat(notice.reads()).isEqualTo(reads + 1);
    }

    @Test
    void anotherNodeThatTookOverDoesNotEndANodeWhoseLeaseIsValid() throws Exception {
        Node a = new Node("a");
        run(1, a);
        assertThat(notice.replace(a.me(), new Incarnation(1_000, 1))).isTrue();

        run(100, a);

        assertThat(a.over).isEmpty();
    }

    @Test
    void anEarlierIncarnationEndsNoNode() throws Exception {
        Incarnation earlier = new Node("earlier").me();
        Node a = new Node("a");
        run(1, a);
        assertThat(notice.replace(a.me(), earlier)).isTrue();
        a.loseKafka();

        run(100, a);

        assertThat(a.over).isEmpty();
    }

    @Test
    void whileTheNoticeIsAwayNothingHappens() throws Exception {
        Node a = new Node("a");
        notice.setAway(true);
        run(3, a);
        notice.setAway(false);
        run(1, a);
        assertThat(notice.read()).isEqualTo(a.me());

        notice.setAway(true);
        a.loseKafka();
        run(100, a);
        assertThat(a.over).isEmpty();

        notice.setAway(false);
        assertThat(notice.replace(a.me(), new Incarnation(1_000, 1))).isTrue();
        run(1, a);
        assertThat(a.over).hasSize(1);
    }

    @Test
    void anOwnerOfALogThatKafkaHasLostIsReplaced() throws Exception {
        notice.replace(null, new Incarnation(1_000, 1));
        Node a = new Node("a");

        run(1, a);
        assertThat(notice.read()).isEqualTo(a.me());
        a.loseKafka();
        run(100, a);

        assertThat(a.over).isEmpty();
    }

    @Test
    void aNodeThatWasReplacedBeforeItNamedItselfDoesNotReplaceTheOtherNode() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        a.loseKafka();
        run(15, b);
        b.take();
        run(1, b);
        assertThat(notice.read()).isEqualTo(b.me());

        a.runs();
        assertThat(notice.read()).isEqualTo(b.me());
        a.ownLog.resume();
        a.runs();

        assertThat(notice.read()).isEqualTo(b.me());
        assertThat(a.over).hasSize(1);
    }

    @Test
    void itRunsOnAThreadOfItsOwnFromTheStartToTheStop() throws Exception {
        Node a = new Node("a", Duration.ofMillis(5));
        a.watch.start();
        try {
            await().until(() -> a.me().equals(notice.read()));
        } finally {
            a.watch.stop();
        }
    }
}
