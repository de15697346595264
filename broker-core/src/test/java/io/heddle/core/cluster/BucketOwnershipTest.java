package io.heddle.core.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketOwnershipTest {
    private static final int RUNS = 50;

    @Test
    void membersThatHaveOnlyJoinedOwnNothing() {
        assertThat(BucketOwnership.owners(List.of(), 4)).containsOnlyNulls().hasSize(4);
        assertThat(BucketOwnership.owners(List.of(member(1, MemberState.JOINED)), 4))
                .containsOnlyNulls();
    }

    @Test
    void onlyServingMembersOwnBucketsWhileThereIsOne() {
        List<Member> members =
                List.of(member(1, MemberState.DRAINING), member(2, MemberState.SERVING), member(3, MemberState.JOINED));

        assertThat(BucketOwnership.owners(members, 4)).containsOnly(incarnation(2));
    }

    @Test
    void withoutServingMemberTheDrainingOnesOwnTheBuckets() {
        List<Member> members = List.of(
                member(1, MemberState.DRAINING), member(2, MemberState.JOINED), member(3, MemberState.DRAINING));

        assertThat(loads(owners(members, 4))).isEqualTo(Map.of(incarnation(1), 2, incarnation(3), 2));
    }

    @Test
    void twoLivesWithTheSameOffsetHaveDifferentBuckets() {
        Incarnation one = new Incarnation(7, 1);
        Incarnation other = new Incarnation(7, 2);
        Incarnation third = new Incarnation(9, 3);

        assertThat(owned(one, divided(List.of(one, third), 64)))
                .isNotEqualTo(owned(other, divided(List.of(other, third), 64)));
    }

    @ParameterizedTest
    @CsvSource({"1", "16", "64", "256"})
    void dividedLoadsDifferByOneAtMost(int buckets) {
        for (int nodes = 1; nodes <= 30; nodes++) {
            for (int run = 0; run < 10; run++) {
                List<Incarnation> serving = random(new Random(31L * nodes + run), nodes);
                Map<Incarnation, Integer> loads = loads(divided(serving, buckets));
                int largest = Collections.max(loads.values());
                int smallest = loads.size() < nodes ? 0 : Collections.min(loads.values());

                assertThat(largest - smallest).as("%d nodes", nodes).isLessThanOrEqualTo(1);
            }
        }
    }

    /** A member that comes must get buckets / members; the order of the buckets moves some others. */
    @ParameterizedTest
    @CsvSource({"16", "64", "256"})
    void fewBucketsMoveWhenAMemberComesOrGoes(int buckets) {
        for (int nodes = 1; nodes <= 12; nodes++) {
            int moved = 0;
            for (int run = 0; run < RUNS; run++) {
                List<Incarnation> before = random(new Random(1_000L * nodes + run), nodes);
                List<Incarnation> after = new ArrayList<>(before);
                after.add(new Incarnation(1_000_000 + run, run));
                int moves = moves(divided(before, buckets), divided(after, buckets));

                assertThat(moves).isLessThanOrEqualTo((int) (buckets / (nodes + 1.0) + 2 * Math.sqrt(buckets)));
                moved += moves;
            }
            assertThat((double) moved / RUNS).isLessThanOrEqualTo(buckets / (nodes + 1.0) + Math.sqrt(buckets));
        }
    }

    @Test
    void aTookIsValidForTheBucketsThatItsWriterOwnsAndThatAreFree() {
        View view = View.atBeginning(0, 16);
        Incarnation first = new Incarnation(0, 1);
        Incarnation second = new Incarnation(1, 2);
        view = after(view, new NodeRecord.Joined(description("one"), 1));
        view = after(view, new NodeRecord.Joined(description("two"), 2));
        view = after(view, new NodeRecord.Serving(first));
        assertThat(view.ownedBy(first)).hasSize(16);
        view = after(view, new NodeRecord.Took(first, new Buckets(10).all()));
        view = after(view, new NodeRecord.Serving(second));
        assertThat(view.ownedBy(first)).hasSize(8);

        view = after(view, new NodeRecord.Took(second, new Buckets(16).all()));
        assertThat(view.heldBy(first)).as("living holders keep what they hold").hasSize(10);
        assertThat(view.ownedBy(second)).containsAll(view.heldBy(second));
        assertThat(view.free()).doesNotContainAnyElementsOf(view.ownedBy(second));

        view = after(view, new NodeRecord.Released(first, view.ownedBy(second)));
        assertThat(view.heldBy(first)).isEqualTo(intersection(view, first));
        view = after(view, new NodeRecord.Took(second, new Buckets(16).all()));
        assertThat(view.heldBy(second)).isEqualTo(view.ownedBy(second));

        view = after(view, new NodeRecord.Draining(second));
        view = after(view, new NodeRecord.Released(second, new Buckets(16).all()));
        view = after(view, new NodeRecord.Took(second, new Buckets(16).all()));
        assertThat(view.heldBy(second)).as("draining").isEmpty();
        view = after(view, new NodeRecord.Took(first, new Buckets(16).all()));
        assertThat(view.heldBy(first)).hasSize(16);
    }

    /** Two views, one after the other: the second owner of a bucket takes it only if the first one has not. */
    @Test
    void aBucketThatChangesItsOwnerTwiceHasOneHolder() {
        View view = View.atBeginning(0, 16);
        List<Incarnation> nodes = List.of(new Incarnation(0, 0), new Incarnation(1, 1), new Incarnation(2, 2));
        for (int i = 0; i < 3; i++) {
            view = after(view, new NodeRecord.Joined(description("node-" + i), i));
        }
        for (Incarnation node : nodes) {
            view = after(view, new NodeRecord.Serving(node));
        }
        for (Incarnation node : nodes) {
            view = after(view, new NodeRecord.Took(node, new Buckets(16).all()));
        }
        View divided = view;
        int bucket = divided.heldBy(nodes.get(0)).iterator().next();

        view = after(view, new NodeRecord.Draining(nodes.get(0)));
        Incarnation second = owner(view, bucket, nodes);
        view = after(view, new NodeRecord.Draining(second));
        Incarnation third = owner(view, bucket, nodes);
        assertThat(third).isNotEqualTo(second);
        view = after(view, new NodeRecord.Released(nodes.get(0), divided.heldBy(nodes.get(0))));
        view = after(view, new NodeRecord.Took(second, new Buckets(16).all()));
        assertThat(view.holder(bucket)).as("the owner of the view before").isNull();
        view = after(view, new NodeRecord.Took(third, new Buckets(16).all()));

        assertThat(view.holder(bucket)).isEqualTo(third);
    }

    private static Incarnation owner(View view, int bucket, List<Incarnation> nodes) {
        return nodes.stream()
                .filter(node -> view.ownedBy(node).contains(bucket))
                .findFirst()
                .orElseThrow();
    }

    private static Set<Integer> intersection(View view, Incarnation node) {
        Set<Integer> held = new HashSet<>(new Buckets(10).all());
        held.retainAll(view.ownedBy(node));
        return held;
    }

    private static View after(View view, NodeRecord record) {
        return view.after(view.next(), record);
    }

    private static Incarnation[] divided(List<Incarnation> serving, int buckets) {
        List<Member> members = serving.stream()
                .sorted()
                .map(each -> new Member(each, description("node-" + each), MemberState.SERVING, 0, 0))
                .toList();
        return owners(members, buckets);
    }

    private static Incarnation[] owners(List<Member> members, int buckets) {
        return Arrays.stream(BucketOwnership.owners(members, buckets))
                .map(owner -> requireNonNull(owner))
                .toArray(Incarnation[]::new);
    }

    private static List<Incarnation> random(Random random, int count) {
        List<Incarnation> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Incarnation(1_000L * i + random.nextInt(1_000), random.nextInt()));
        }
        return all;
    }

    private static Map<Incarnation, Integer> loads(Incarnation[] owners) {
        Map<Incarnation, Integer> loads = new HashMap<>();
        for (Incarnation owner : owners) {
            loads.merge(owner, 1, Integer::sum);
        }
        return loads;
    }

    private static List<Integer> owned(Incarnation node, Incarnation[] owners) {
        List<Integer> owned = new ArrayList<>();
        for (int bucket = 0; bucket < owners.length; bucket++) {
            if (owners[bucket].equals(node)) {
                owned.add(bucket);
            }
        }
        return owned;
    }

    private static int moves(Incarnation[] before, Incarnation[] after) {
        int moves = 0;
        for (int bucket = 0; bucket < before.length; bucket++) {
            moves += before[bucket].equals(after[bucket]) ? 0 : 1;
        }
        return moves;
    }

    private static Member member(int number, MemberState state) {
        return new Member(incarnation(number), description("node-" + number), state, 0, 0);
    }

    private static Incarnation incarnation(int number) {
        return new Incarnation(number, number);
    }

    private static NodeDescription description(String id) {
        return new NodeDescription(new NodeId(id), "", "", 1, 3);
    }
}
