package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeathNoticeTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration BEAT = Duration.ofSeconds(1);

    private final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    private long nanos;

    /** A node that has joined. */
    private final class Node {
        private final InMemoryNodeLog.OfNode ownLog = log.node();
        private final List<String> over = new ArrayList<>();
        private final Membership membership;
        private final DeathNotice notice;

        Node(String id) throws InterruptedException {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            MembershipSettings settings = new MembershipSettings(
                    new NodeDescription(new NodeId(id), "10.0.0.5", "", 1, 3),
                    false,
                    LEASE,
                    BEAT,
                    Duration.ofMillis(100));
            RoutingLease lease = new RoutingLease(settings.routingLease(), () -> nanos, registry);
            membership = new Membership(
                    ownLog, settings, View.atBeginning(0, 4), _ -> false, lease, () -> nanos, over::add, registry);
            notice = new DeathNotice(membership, lease, LEASE);
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
    }

    /** Each of these nodes sends a heartbeat in each of these intervals. */
    private void beat(int intervals, Node... nodes) {
        for (int i = 0; i < intervals; i++) {
            nanos += BEAT.toNanos();
            for (Node node : nodes) {
                node.membership.beat();
            }
        }
    }

    @Test
    void aNodeThatAloneLosesKafkaIsOverWhenAMemberSaysThatItIsDead() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        beat(1, a, b);

        a.loseKafka();
        beat(16, a, b);
        assertThat(b.membership.view().isMember(a.me())).isFalse();
        assertThat(a.over).isEmpty();
        a.notice.onSelfEnded(b.me());

        assertThat(a.over)
                .containsExactly(
                        "This node is over: another node has declared this node dead while Kafka did not answer it (incarnation "
                                + a.me() + ", told by incarnation " + b.me() + "); start it again");
        assertThat(b.over).isEmpty();
    }

    @Test
    void aNodeWhoseHeartbeatsAreReadBackDoesNotBelieveIt() throws Exception {
        Node a = new Node("a");
        Node lateReader = new Node("b");

        for (int i = 0; i < 100; i++) {
            beat(1, a, lateReader);
            a.notice.onSelfEnded(lateReader.me());
        }

        assertThat(a.over).isEmpty();
    }

    @Test
    void itIsBelievedOnlyAfterTheRoutingLeaseHasEndedForALease() throws Exception {
        Node a = new Node("a");
        Node b = new Node("b");
        beat(3, a, b);
        a.loseKafka();

        beat(14, a);
        a.notice.onSelfEnded(b.me());
        assertThat(a.over).isEmpty();

        beat(1, a);
        a.notice.onSelfEnded(b.me());
        assertThat(a.over).hasSize(1);
    }
}
