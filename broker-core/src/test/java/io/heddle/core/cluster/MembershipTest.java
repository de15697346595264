package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MembershipTest extends MembershipFixture {
    @Test
    void eachNewViewIsPassedOn() throws Exception {
        Node a = new Node("a");
        List<View> views = new ArrayList<>();
        List<View> alsoViews = new ArrayList<>();
        a.membership.onRecord((view, _) -> views.add(view));
        a.membership.onRecord((view, _) -> alsoViews.add(view));
        a.join();
        Node b = new Node("b").join();

        assertThat(views.getFirst().members()).hasSize(1);
        assertThat(views.getLast().isMember(b.me())).isTrue();
        assertThat(views.getLast()).isSameAs(a.view());
        assertThat(alsoViews).isEqualTo(views);
    }

    @Test
    void theOffsetOfItsRecordAndTheRandomPartAreTheIncarnation() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();

        assertThat(a.me()).isEqualTo(new Incarnation(0, a.id()));
        assertThat(b.me()).isEqualTo(new Incarnation(1, b.id()));
        assertThat(a.view().members()).extracting(Member::incarnation).containsExactly(a.me(), b.me());
        assertThat(a.registry.get("heddle.cluster.nodes").gauge().value()).isEqualTo(2);
    }

    @Test
    void aNodeThatHasNotJoinedHasNoIncarnationAndWritesNothing() {
        Node a = new Node("a");
        a.beats(2);

        assertThatThrownBy(a::me).isInstanceOf(IllegalStateException.class);
        assertThat(log.records()).isEmpty();
    }

    @Test
    void aHeartbeatRepeatsWhatTheClusterKnowsOfTheNode() throws Exception {
        Node a = new Node("a").join();
        a.membership.write(new Serving(a.me()));
        a.membership.write(new Took(a.me(), Set.of(1, 3)));
        a.beats(1);

        assertThat(log.records().getLast())
                .isEqualTo(new Heartbeat(
                        a.me(),
                        new NodeDescription(new NodeId("a"), "10.0.0.5", "process of a", 1, 3),
                        MemberState.SERVING,
                        1,
                        3,
                        Set.of(1, 3),
                        Map.of()));
        assertThat(a.registry.get("heddle.cluster.heartbeat").timer().count()).isEqualTo(1);
    }

    @Test
    void oneHeartbeatIsOnItsWayAtATime() throws Exception {
        Node a = new Node("a").join();
        a.ownLog.pause();
        a.beats(5);
        assertThat(log.records()).hasSize(2);

        a.ownLog.resume();
        a.beats(1);
        assertThat(log.records()).hasSize(3);
    }

    @Test
    void aHeartbeatThatTheLogRefusesIsNotRepeated() throws Exception {
        Node a = new Node("a").join();
        a.ownLog.failWith(new IllegalStateException("away"));
        a.beats(3);
        a.ownLog.failWith(null);
        a.beats(1);

        assertThat(log.records()).hasSize(2);
        assertThat(((Heartbeat) log.records().getLast()).number()).isEqualTo(4);
    }

    @Test
    void aMemberWhoseProcessHasEndedIsDeclaredDeadAtOnce() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();
        Node c = new Node("c").join();
        ended.add("process of b");
        c.beats(1);

        assertThat(log.records()).contains(new Dead(c.me(), b.me(), b.me().offset()));
        assertThat(c.view().members()).extracting(Member::incarnation).containsExactly(a.me(), c.me());
        assertThat(b.over).hasSize(1);
    }

    @Test
    void aSilentMemberIsDeclaredDeadAfterTheLease() throws Exception {
        Node a = new Node("a").join();
        Node silent = new Node("b").join();
        silent.ownLog.pause();
        long lastRecord = silent.me().offset();
        a.beats(LEASE);
        assertThat(a.view().isMember(silent.me())).isTrue();
        a.beats(1);

        assertThat(log.records().getLast()).isEqualTo(new Dead(a.me(), silent.me(), lastRecord));
        assertThat(a.view().isMember(silent.me())).isFalse();
        assertThat(a.registry
                        .get("heddle.cluster.declared.dead")
                        .tag("node", "b")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(silent.over).isEmpty();

        silent.ownLog.resume();
        assertThat(silent.over).hasSize(1);
        assertThat(silent.over.getFirst())
                .contains("declared this node dead", silent.me().toString());
        silent.beats(3);
        assertThat(log.records())
                .noneMatch(record ->
                        record instanceof Heartbeat beat && beat.writer().equals(silent.me()));
    }

    @Test
    void aMemberThatWritesInBetweenIsNotDead() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();
        for (int i = 0; i < 5; i++) {
            a.beats(LEASE - 1);
            b.beats(1);
        }

        assertThat(a.view().members()).hasSize(2);
        assertThat(log.records()).noneMatch(Dead.class::isInstance);
    }

    @Test
    void theSecondNodeDeclaresAHeartbeatLater() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();
        Node silent = new Node("c").join();
        silent.ownLog.pause();
        for (int i = 0; i <= LEASE; i++) {
            var _ = a.ownLog.append(new Serving(a.me()));
            b.beats(1);
        }
        assertThat(b.view().members()).hasSize(3);
        b.beats(1);

        assertThat(b.view().members()).extracting(Member::incarnation).containsExactly(a.me(), b.me());
    }

    @Test
    void whileItsOwnHeartbeatsAreLateANodeDeclaresNobodyDead() throws Exception {
        Node a = new Node("a").join();
        Node silent = new Node("b").join();
        silent.ownLog.pause();
        for (int i = 0; i < 4; i++) {
            a.beats(LEASE - 1);
            // The next one takes three seconds.
            a.ownLog.pause();
            a.beats(4);
            a.ownLog.resume();
        }
        assertThat(a.view().members()).hasSize(2);

        a.beats(LEASE + 1);
        assertThat(a.view().members()).hasSize(1);
    }

    @Test
    void aRefusedDeclarationIsRepeated() throws Exception {
        Node a = new Node("a").join();
        Node silent = new Node("b").join();
        silent.ownLog.pause();
        a.beats(LEASE);
        a.ownLog.failWith(new IllegalStateException("away"));
        a.beats(1);
        a.ownLog.failWith(null);
        a.beats(2);

        assertThat(a.view().members()).hasSize(1);
    }

    @Test
    void aNodeThatIsAloneDeclaresAllOthersDeadAtOnce() throws Exception {
        Node before = new Node("a").join();
        before.ownLog.pause();
        Node a = new Node("a").join();
        a.membership.declareOthersDead();

        assertThat(a.view().members()).extracting(Member::incarnation).containsExactly(a.me());
    }

    @Test
    void aMemberIsConfirmedAndADeadNodeIsNot() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();
        assertThat(b.membership.isConfirmed()).isTrue();

        b.ownLog.pause();
        var _ = a.ownLog.append(new Dead(a.me(), b.me(), b.me().offset())).toCompletableFuture();
        assertThatThrownBy(b.membership::isConfirmed)
                .as("it has not read the log to its end")
                .isInstanceOf(StoreUnavailableException.class);
        b.ownLog.resume();

        assertThat(b.membership.isConfirmed()).isFalse();
        assertThat(b.over).hasSize(1);
        assertThatThrownBy(() -> b.membership.await(_ -> true, SHORT)).isInstanceOf(NodeOverException.class);
    }

    @Test
    void aHeartbeatThatIsReadBackExtendsTheRoutingLeaseFromTheTimeItWasSent() throws Exception {
        Node a = new Node("a").join();
        assertThat(a.lease.isValid()).isFalse();
        a.ownLog.pause();
        a.beats(1);
        nanos += TimeUnit.SECONDS.toNanos(4);
        a.ownLog.resume();
        assertThat(a.lease.isValid()).isTrue();

        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(a.lease.isValid()).isFalse();
    }

    @Test
    void aHeartbeatBehindTheDeathOfItsNodeDoesNotExtendTheRoutingLease() throws Exception {
        Node a = new Node("a").join();
        Node frozen = new Node("b").join();
        frozen.ownLog.pause();
        a.beats(LEASE + 1);
        assertThat(a.view().isMember(frozen.me())).isFalse();
        frozen.beats(1);
        assertThat(log.records().getLast()).isInstanceOf(Heartbeat.class);
        frozen.ownLog.resume();

        assertThat(frozen.over).hasSize(1);
        assertThat(frozen.lease.isValid()).isFalse();
    }

    @Test
    void aNodeOfWhichTheLogHasNoRecordIsOver() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();
        b.beats(1);
        log.deleteBelow(1);
        assertThat(b.membership.isConfirmed()).isTrue();

        assertThat(a.membership.isConfirmed()).isFalse();
        assertThat(a.over.getFirst()).contains("the cluster has forgotten this node");
    }

    @Test
    void aNodeThatMissedDeletedRecordsIsOver() throws Exception {
        Node a = new Node("a").join();
        a.ownLog.pause();
        Node b = new Node("b").join();
        b.beats(3);
        log.deleteBelow(3);
        a.ownLog.resume();

        assertThat(a.over).hasSize(1);
        assertThat(b.over).isEmpty();
    }

    @Test
    void aNodeThatLeavesIsNotOver() throws Exception {
        Node a = new Node("a").join();
        Node b = new Node("b").join();
        a.membership.leave(SHORT);
        a.membership.leave(SHORT);
        a.beats(3);

        assertThat(log.records().getLast()).isEqualTo(new Left(a.me()));
        assertThat(b.view().members()).extracting(Member::incarnation).containsExactly(b.me());
        assertThat(a.over).isEmpty();
    }

    @Test
    void aNodeThatHasLeftIsNotConfirmed() throws Exception {
        Node a = new Node("a").join();
        new Node("b").join();
        a.membership.leave(SHORT);

        assertThat(a.view().isMember(a.me())).isFalse();
        assertThat(a.membership.isConfirmed()).isFalse();
    }

    @Test
    void aHeartbeatThatTheLogHasAcceptedAndLostDoesNotEndTheHeartbeats() throws Exception {
        Node a = new Node("a").join();
        a.beats(1);
        assertThat(a.lease.isValid()).isTrue();
        a.ownLog.lose(1);
        a.beats(20);

        assertThat(a.lease.isValid()).isTrue();
    }
}
