package io.heddle.core.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.OfMember;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random clusters write a log: nodes that lag behind it, freeze, are declared dead while they live, and come back with the same id. Each node
 * acts on the part of the log that it has followed. Beside them a stranger writes records without any sense.
 */
class ViewProperty {
    private static final int BUCKETS = 5;
    private static final int STEPS = 400;

    private final List<NodeRecord> log = new ArrayList<>();
    private final List<View> views = new ArrayList<>(List.of(View.atBeginning(0, BUCKETS)));
    private final List<Node> nodes = new ArrayList<>();

    /** A node that acts on the view that it has followed to, and repeats its facts in heartbeats. */
    private final class Node {
        private final Incarnation me;
        private final NodeDescription description;
        private int followed;
        private long beats;

        Node(String id, int random) {
            description = new NodeDescription(new NodeId(id), "", "", 1, 3);
            me = new Incarnation(log.size(), random);
            write(new Joined(description, random));
            followed = log.size();
        }

        View view() {
            return views.get(followed);
        }

        boolean isOver() {
            return !view().isMember(me);
        }

        void follow(int to) {
            followed = Math.max(followed, to);
        }

        void beat() {
            Member member = view().member(me);
            if (member != null) {
                write(new Heartbeat(me, description, member.state(), ++beats, followed, view().heldBy(me), Map.of()));
            }
        }

        void act(RandomGenerator random) {
            if (isOver()) {
                return;
            }
            switch (random.nextInt(12)) {
                case 0, 1 -> write(new Serving(me));
                case 2, 3 -> write(new Took(me, view().ownedBy(me).isEmpty() ? some(random) : view().free()));
                case 4 -> write(new Released(me, some(random)));
                case 5 -> {
                    if (random.nextInt(4) == 0) {
                        write(new Draining(me));
                    }
                }
                case 6 -> {
                    if (random.nextInt(4) == 0) {
                        write(new Left(me));
                    }
                }
                case 7 -> declareDead(random);
                default -> beat();
            }
        }

        private void declareDead(RandomGenerator random) {
            List<Member> members = List.copyOf(view().members());
            Member chosen = members.get(random.nextInt(members.size()));
            write(new Dead(me, chosen.incarnation(), chosen.lastRecord()));
        }
    }

    @RepeatedTest(60)
    void everyViewFollowsFromTheRecords(RepetitionInfo repetition) {
        long seed = seed(repetition);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        run(random, true);

        for (int offset = 0; offset < log.size(); offset++) {
            checkStep(offset, seed);
        }
        View again = View.atBeginning(0, BUCKETS);
        for (int offset = 0; offset < log.size(); offset++) {
            again = again.after(offset, log.get(offset));
        }
        assertSame(again, views.getLast(), "seed " + seed);
    }

    @RepeatedTest(60)
    void aReaderThatBeginsLateKnowsAllMembersAndTheirBuckets(RepetitionInfo repetition) {
        long seed = seed(repetition);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        run(random, false);
        int end = log.size();
        for (Node node : nodes) {
            node.follow(end);
            node.beat();
        }
        for (int beginning = 0; beginning <= end; beginning += 1 + random.nextInt(20)) {
            View late = View.atBeginning(beginning, BUCKETS);
            for (int offset = beginning; offset < log.size(); offset++) {
                late = late.after(offset, log.get(offset));
            }
            assertKnown(late, views.getLast(), "seed " + seed + ", from " + beginning);
        }
    }

    /** A late reader knows all members. It may take ended nodes for members too, which is safe: it takes none of their buckets. */
    private static void assertKnown(View late, View whole, String where) {
        for (Member member : whole.members()) {
            assertThat(late.isMember(member.incarnation())).as(where).isTrue();
            assertThat(facts(requireNonNull(late.member(member.incarnation()))))
                    .as(where)
                    .isEqualTo(facts(member));
            assertThat(late.heldBy(member.incarnation())).as(where).isEqualTo(whole.heldBy(member.incarnation()));
        }
        for (int bucket : whole.free()) {
            Incarnation holder = late.holder(bucket);
            assertThat(holder == null || !whole.isMember(holder)).as(where).isTrue();
        }
    }

    private void run(RandomGenerator random, boolean withStranger) {
        for (int step = 0; step < STEPS; step++) {
            if (nodes.isEmpty() || random.nextInt(25) == 0) {
                nodes.add(new Node("node-" + random.nextInt(4), random.nextInt()));
            }
            Node node = nodes.get(random.nextInt(nodes.size()));
            if (random.nextInt(3) != 0) {
                node.follow(random.nextInt(log.size() + 1));
            }
            node.act(random);
            if (withStranger && random.nextInt(4) == 0) {
                writeNonsense(random);
            }
        }
    }

    private void writeNonsense(RandomGenerator random) {
        Incarnation writer = anyIncarnation(random);
        write(
                switch (random.nextInt(6)) {
                    case 0 -> new Serving(writer);
                    case 1 -> new Took(writer, some(random));
                    case 2 -> new Released(writer, some(random));
                    case 3 -> new Dead(writer, anyIncarnation(random), random.nextInt(log.size()));
                    case 4 -> new Dead(writer, writer, log.size());
                    default -> new Draining(writer);
                });
    }

    private Incarnation anyIncarnation(RandomGenerator random) {
        return random.nextBoolean()
                ? nodes.get(random.nextInt(nodes.size())).me
                : new Incarnation(random.nextInt(log.size() + 1), random.nextInt());
    }

    private void write(NodeRecord record) {
        views.add(views.getLast().after(log.size(), record));
        log.add(record);
    }

    /** Compares one step with the rules, said in other words. */
    private void checkStep(int offset, long seed) {
        View before = views.get(offset);
        View after = views.get(offset + 1);
        NodeRecord record = log.get(offset);
        String where = "seed " + seed + ", offset " + offset + ", " + record;
        assertThat(after.next()).as(where).isEqualTo(offset + 1);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            Incarnation was = before.holder(bucket);
            Incarnation is = after.holder(bucket);
            if (is != null) {
                assertThat(after.isMember(is)).as(where).isTrue();
            }
            if (is != null && !is.equals(was)) {
                assertThat(was)
                        .as("%s: a bucket changes its holder only when it is free", where)
                        .isNull();
                assertThat(record).as(where).isInstanceOf(Took.class);
                assertThat(is).as(where).isEqualTo(((Took) record).writer());
                assertThat(before.ownedBy(is)).as(where).contains(bucket);
            }
            if (is == null && was != null && after.isMember(was)) {
                assertThat(record).as(where).isInstanceOf(Released.class);
                assertThat(((Released) record).writer()).as(where).isEqualTo(was);
            }
        }
        for (Member gone : before.members()) {
            if (!after.isMember(gone.incarnation())) {
                checkEnd(before, gone, record, where);
            }
        }
        if (record instanceof OfMember ofMember && !before.isMember(ofMember.writer())) {
            assertSame(after, before, where + ": only members write");
        }
        Set<NodeId> serving = new HashSet<>();
        for (Member member : after.members()) {
            if (member.state() == MemberState.SERVING) {
                assertThat(serving.add(member.node().id()))
                        .as("%s: two lives serve", where)
                        .isTrue();
            }
        }
    }

    private static void checkEnd(View before, Member gone, NodeRecord record, String where) {
        if (record instanceof Dead dead) {
            assertThat(dead.incarnation())
                    .as(where)
                    .isEqualTo(gone.incarnation())
                    .isNotEqualTo(dead.writer());
            assertThat(dead.lastRecord()).as(where).isEqualTo(gone.lastRecord());
            assertThat(before.isMember(dead.writer())).as(where).isTrue();
        } else {
            assertThat(record).as(where).isEqualTo(new Left(gone.incarnation()));
        }
    }

    private static void assertSame(View one, View other, String where) {
        assertThat(one.members().stream().map(ViewProperty::facts).toList())
                .as(where)
                .isEqualTo(other.members().stream().map(ViewProperty::facts).toList());
        for (Member member : one.members()) {
            assertThat(one.ownedBy(member.incarnation())).as(where).isEqualTo(other.ownedBy(member.incarnation()));
        }
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            assertThat(one.holder(bucket)).as("%s, bucket %d", where, bucket).isEqualTo(other.holder(bucket));
        }
    }

    /** The facts on which decisions depend; the offset of the last change does not count. */
    private static List<Object> facts(Member member) {
        return List.of(member.incarnation(), member.node(), member.state(), member.lastRecord());
    }

    private static Set<Integer> some(RandomGenerator random) {
        Set<Integer> some = new HashSet<>();
        for (int i = 0; i <= BUCKETS; i++) {
            if (random.nextBoolean()) {
                some.add(i);
            }
        }
        return some;
    }

    private static long seed(RepetitionInfo repetition) {
        return Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
    }
}
