package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Serving;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nodes whose links are broken leave the cluster one at a time. */
class CondemnationTest extends MembershipFixture {
    private List<Node> serving(String... ids) throws InterruptedException {
        List<Node> nodes = new ArrayList<>();
        for (String id : ids) {
            Node node = new Node(id).join();
            node.membership.write(new Serving(node.me()));
            nodes.add(node);
        }
        return nodes;
    }

    private static void beat(List<Node> nodes, int count) {
        for (int i = 0; i < count; i++) {
            nodes.forEach(node -> node.membership.beat());
        }
    }

    private void beatEachSecond(List<Node> nodes, int count) {
        for (int i = 0; i < count; i++) {
            nanos += TimeUnit.SECONDS.toNanos(1);
            beat(nodes, 1);
        }
    }

    /** Lets the link between two nodes not work until the second has named the first three times. */
    private List<Node> withBrokenLink() throws InterruptedException {
        List<Node> nodes = serving("a", "b");
        beatEachSecond(nodes, 7);
        nodes.get(0).loses(nodes.get(1));
        nodes.get(1).loses(nodes.get(0));
        beatEachSecond(nodes, 3);
        return nodes;
    }

    @Test
    void aNodeWithABrokenLinkLeavesAndAcknowledgesNothingMore() throws Exception {
        List<Node> nodes = withBrokenLink();
        Node a = nodes.get(0);
        Node b = nodes.get(1);
        assertThat(b.lease.isValid()).isTrue();
        assertThat(b.over).isEmpty();
        beatEachSecond(nodes, 2);

        assertThat(b.over).hasSize(1);
        assertThat(b.over.getFirst()).contains("links between nodes are broken", "a does not reach b");
        assertThat(b.lease.isValid()).isFalse();
        assertThat(log.records()).contains(new Left(b.me()));
        assertThat(a.over).isEmpty();
        assertThat(a.lease.isValid()).isTrue();
        assertThat(a.view().members()).extracting(Member::incarnation).containsExactly(a.me());
        assertThat(a.registry
                        .get("heddle.cluster.condemned")
                        .tag("node", "b")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aNodeLearnsFromTheLogHowOftenItWasCondemned() throws Exception {
        beatEachSecond(withBrokenLink(), 2);

        assertThat(new Node("b").join().membership.condemnations()).isEqualTo(1);
        assertThat(new Node("c").join().membership.condemnations()).isZero();
    }

    @Test
    void aCondemnedNodeThatDoesNotReadIsDeclaredDeadThoughItsHeartbeatsGoOn() throws Exception {
        List<Node> nodes = serving("a", "b");
        Node a = nodes.get(0);
        Node b = nodes.get(1);
        beatEachSecond(nodes, 7);
        b.ownLog.pause();
        a.loses(b);
        for (int i = 0; i < LEASE + 6; i++) {
            nanos += TimeUnit.SECONDS.toNanos(1);
            a.membership.beat();
            var _ = b.ownLog.append(new Heartbeat(
                    b.me(), b.membership.settings().node(), MemberState.SERVING, 100 + i, 4, Set.of(), Map.of()));
        }

        assertThat(a.view().isMember(b.me())).isFalse();
        assertThat(log.records()).anyMatch(Condemned.class::isInstance).anyMatch(Dead.class::isInstance);
    }

    @Test
    void aFrozenNodeIsNotNamedAndIsNotAskedToLeaveWhenItWakesUp() throws Exception {
        List<Node> nodes = serving("a", "b");
        Node a = nodes.get(0);
        Node b = nodes.get(1);
        beatEachSecond(nodes, 7);
        a.beats(6);
        a.loses(b);
        a.beats(LEASE - 1 - 6);
        beatEachSecond(nodes, 3);
        a.silentLinks.clear();
        beatEachSecond(nodes, 20);

        assertThat(log.records())
                .noneMatch(Condemned.class::isInstance)
                .noneMatch(record ->
                        record instanceof Heartbeat beat && !beat.unreachable().isEmpty());
        assertThat(b.over).isEmpty();
    }

    @Test
    void aNodeThatWasFrozenItselfNamesNobodyAtOnce() throws Exception {
        List<Node> nodes = serving("a", "b");
        Node a = nodes.get(0);
        Node b = nodes.get(1);
        beatEachSecond(nodes, 7);
        b.beats(LEASE - 1);
        a.loses(b);
        beatEachSecond(nodes, 3);
        a.silentLinks.clear();
        beatEachSecond(nodes, 20);

        assertThat(log.records()).noneMatch(Condemned.class::isInstance);
        assertThat(b.over).isEmpty();
    }
}
