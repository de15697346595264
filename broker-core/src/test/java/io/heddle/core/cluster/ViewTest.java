package io.heddle.core.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ViewTest {
    private static final int BUCKETS = 4;
    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);

    private View view = View.atBeginning(0, BUCKETS);

    @Test
    void aNodeThatJoinedIsAMemberAndOwnsNothing() {
        Incarnation a = join("a");

        assertThat(a).isEqualTo(new Incarnation(0, 100));
        assertThat(view.members()).containsExactly(new Member(a, description("a"), MemberState.JOINED, 0, 0));
        assertThat(view.ownedBy(a)).isEmpty();
        assertThat(view.free()).isEqualTo(ALL);
        assertThat(view.next()).isEqualTo(1);
    }

    @Test
    void aHeartbeatTellsHowManyRecordsItsWriterHasYetToRead() {
        Incarnation a = serving("a");
        serving("b");
        write(new Heartbeat(a, description("a"), MemberState.SERVING, 1, view.next() - 2, Set.of(), Map.of()));
        assertThat(view.members()).extracting(Member::recordsBehind).containsExactly(2L, 0L);

        write(new Serving(a));
        assertThat(view.members()).extracting(Member::recordsBehind).containsExactly(2L, 0L);
        write(new Heartbeat(a, description("a"), MemberState.SERVING, 2, view.next(), Set.of(), Map.of()));
        assertThat(view.members()).extracting(Member::recordsBehind).containsExactly(0L, 0L);
    }

    @Test
    void theOnlyServingNodeTakesAllBuckets() {
        Incarnation a = serving("a");
        write(new Took(a, ALL));

        assertThat(view.ownedBy(a)).isEqualTo(ALL);
        assertThat(view.heldBy(a)).isEqualTo(ALL);
        assertThat(view.free()).isEmpty();
        assertThat(view.holder(3)).isEqualTo(a);
    }

    @Test
    void aBucketWithAHolderIsNotTaken() {
        Incarnation a = serving("a");
        write(new Took(a, Set.of(0)));
        write(new Draining(a));
        Incarnation b = serving("b");
        write(new Took(b, ALL));

        assertThat(view.ownedBy(b)).isEqualTo(ALL);
        assertThat(view.heldBy(a)).containsExactly(0);
        assertThat(view.heldBy(b)).containsExactlyInAnyOrder(1, 2, 3);

        write(new Released(a, ALL));
        assertThat(view.heldBy(b))
                .as("a release frees only the buckets of its writer")
                .containsExactlyInAnyOrder(1, 2, 3);
        write(new Took(b, ALL));
        assertThat(view.heldBy(b)).isEqualTo(ALL);
    }

    @Test
    void theIdsOfTheLastHolderAreKnownUntilAnotherMemberHoldsItsBuckets() {
        Incarnation a = serving("a");
        write(new Took(a, ALL));
        Incarnation b = serving("b");
        assertThat(view.idsOfEndedHolders()).isEmpty();
        write(new Left(b));
        assertThat(view.idsOfEndedHolders()).as("it held nothing").isEmpty();

        long end = view.next();
        write(new Left(a));
        assertThat(view.idsOfEndedHolders())
                .extracting(TransactionalId::incarnation)
                .containsOnly(a)
                .hasSize(description("a").transactionalIds());
        assertThat(view.endedSince(end)).containsExactly(a);
        assertThat(view.endedSince(end + 1)).isEmpty();

        Incarnation c = serving("c");
        write(new Took(c, ALL));
        assertThat(view.idsOfEndedHolders()).isEmpty();
    }

    @Test
    void onlyTheRightfulOwnerTakesBuckets() {
        Incarnation a = serving("a");
        Incarnation b = serving("b");
        write(new Took(b, ALL));

        assertThat(view.heldBy(b)).isEqualTo(view.ownedBy(b)).hasSize(BUCKETS / 2);
        assertThat(view.free()).isEqualTo(view.ownedBy(a));
    }

    @Test
    void bucketsThatDoNotExistAreIgnored() {
        Incarnation a = serving("a");
        write(new Took(a, Set.of(3, BUCKETS)));
        write(new Released(a, Set.of(BUCKETS)));

        assertThat(view.heldBy(a)).containsExactly(3);
    }

    @Test
    void aNodeThatLeftHoldsNothing() {
        Incarnation a = serving("a");
        write(new Took(a, ALL));
        write(new Left(a));

        assertThat(view.isMember(a)).isFalse();
        assertThat(view.free()).isEqualTo(ALL);
    }

    @Test
    void aDeadNodeHoldsNothingAndItsLateRecordsAreVoid() {
        Incarnation a = serving("a");
        write(new Took(a, ALL));
        Incarnation b = serving("b");
        write(new Dead(b, a, lastRecord(a)));

        assertThat(view.isMember(a)).isFalse();
        assertThat(view.ownedBy(b)).isEqualTo(ALL);
        beat(a, ALL);
        write(new Took(a, ALL));
        write(new Dead(a, b, lastRecord(b)));
        assertThat(view.isMember(a)).isFalse();
        assertThat(view.isMember(b)).isTrue();
        assertThat(view.free()).isEqualTo(ALL);
    }

    @Test
    void aDeathIsVoidIfTheNodeHasWrittenSince() {
        Incarnation a = serving("a");
        Incarnation b = serving("b");
        long seen = lastRecord(a);
        beat(a, Set.of());
        write(new Dead(b, a, seen));

        assertThat(view.isMember(a)).isTrue();
    }

    @Test
    void aDeathDeclaredByADeadNodeOrByTheNodeItselfIsVoid() {
        Incarnation a = serving("a");
        Incarnation b = serving("b");
        Incarnation c = serving("c");
        write(new Dead(c, b, lastRecord(b)));
        write(new Dead(b, a, lastRecord(a)));
        write(new Dead(a, a, lastRecord(a)));

        assertThat(view.isMember(a)).isTrue();
        assertThat(view.isMember(c)).isTrue();
    }

    @Test
    void aSecondLifeWithTheSameNodeIdServesOnlyAfterTheFirstHasEnded() {
        Incarnation first = serving("a");
        Incarnation second = join("a");
        write(new Serving(second));

        assertThat(view.elder(second, new NodeId("a")))
                .isNotNull()
                .extracting(Member::incarnation)
                .isEqualTo(first);
        assertThat(view.elder(first, new NodeId("a"))).isNull();
        assertThat(view.member(second)).extracting(Member::state).isEqualTo(MemberState.JOINED);

        write(new Dead(second, first, lastRecord(first)));
        write(new Serving(second));
        assertThat(view.ownedBy(second)).isEqualTo(ALL);
    }

    @Test
    void theServingNodesOwnTheBuckets() {
        Incarnation a = serving("a");
        Incarnation b = serving("b");
        Incarnation c = join("c");
        assertThat(view.ownedBy(a)).hasSize(BUCKETS / 2).doesNotContainAnyElementsOf(view.ownedBy(b));
        assertThat(view.ownedBy(b)).hasSize(BUCKETS / 2);

        write(new Draining(a));
        assertThat(view.ownedBy(b)).isEqualTo(ALL);
        write(new Draining(b));
        assertThat(view.ownedBy(c))
                .as("a node that has only joined owns nothing")
                .isEmpty();
        assertThat(view.ownedBy(a)).hasSize(BUCKETS / 2);
        write(new Serving(c));
        assertThat(view.ownedBy(c)).isEqualTo(ALL);
        write(new Serving(a));
        assertThat(view.ownedBy(c)).as("a draining node does not return").isEqualTo(ALL);
    }

    @Test
    void aRepeatedOffsetIsAnotherIncarnation() {
        View other = View.atBeginning(0, BUCKETS).after(0, new Joined(description("a"), 1));

        Incarnation lost = new Incarnation(0, 2);
        assertThat(other.isMember(lost)).isFalse();
        assertThat(other.after(1, new Left(lost)).isMember(new Incarnation(0, 1)))
                .isTrue();
    }

    @Test
    void aReaderThatBeginsLateLearnsOfMembersFromTheirHeartbeats() {
        view = View.atBeginning(1_000, BUCKETS);
        Incarnation a = new Incarnation(7, 1);
        write(new Heartbeat(a, description("a"), MemberState.SERVING, 1, 999, ALL, Map.of()));
        assertThat(view.isMember(a)).as("it may be dead, and not have read so").isFalse();
        write(new Heartbeat(a, description("a"), MemberState.SERVING, 2, 1_000, ALL, Map.of()));

        assertThat(view.members()).extracting(Member::incarnation).containsExactly(a);
        assertThat(view.ownedBy(a)).isEqualTo(ALL);
        assertThat(view.heldBy(a)).isEqualTo(ALL);
    }

    @Test
    void aHeartbeatDoesNotIntroduceANodeThatTheLogNeverHad() {
        join("a");
        Incarnation never = new Incarnation(0, 1);
        beat(never, ALL);

        assertThat(view.isMember(never)).isFalse();
        assertThat(view.free()).isEqualTo(ALL);
    }

    @Test
    void aHeartbeatFromBeforeAChangeDoesNotUndoIt() {
        Incarnation a = join("a");
        long followed = view.next();
        write(new Serving(a));
        write(new Took(a, Set.of(0, 1)));
        write(new Released(a, Set.of(1)));
        write(new Heartbeat(a, description("a"), MemberState.JOINED, 1, followed, Set.of(1), Map.of()));

        assertThat(view.member(a)).extracting(Member::state).isEqualTo(MemberState.SERVING);
        assertThat(view.heldBy(a)).containsExactly(0);
    }

    @Test
    void forgottenEndsStayEnds() {
        Incarnation a = serving("a");
        Incarnation b = serving("b");
        write(new Dead(a, b, lastRecord(b)));
        long death = view.next() - 1;
        for (int i = 0; i < 2 * View.MAXIMUM_ENDED; i++) {
            write(new Left(join("c")));
        }
        write(new Heartbeat(b, description("b"), MemberState.SERVING, 1, death, ALL, Map.of()));
        write(new Heartbeat(a, description("a"), MemberState.SERVING, 1, view.next(), Set.of(), Map.of()));

        assertThat(view.isMember(b)).isFalse();
        assertThat(view.isMember(a)).isTrue();
        assertThat(view.ownedBy(a)).isEqualTo(ALL);
    }

    @Test
    void recordsAreAppliedInOrder() {
        join("a");

        assertThatThrownBy(() -> view.after(0, new Left(new Incarnation(0, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below 1");
    }

    private Incarnation serving(String id) {
        Incarnation joined = join(id);
        write(new Serving(joined));
        return joined;
    }

    private Incarnation join(String id) {
        Incarnation joined = new Incarnation(view.next(), 100);
        write(new Joined(description(id), 100));
        return joined;
    }

    private void beat(Incarnation writer, Set<Integer> buckets) {
        write(new Heartbeat(writer, description("a"), MemberState.SERVING, 1, view.next(), buckets, Map.of()));
    }

    private long lastRecord(Incarnation incarnation) {
        return requireNonNull(view.member(incarnation)).lastRecord();
    }

    private void write(NodeRecord record) {
        view = view.after(view.next(), record);
    }

    private static NodeDescription description(String id) {
        return new NodeDescription(new NodeId(id), "", "", NodeDescription.FORMATS, 3);
    }
}
