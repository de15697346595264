package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.testkit.TestView;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BrokenLinksTest {
    private final TestView log = new TestView(4);
    private final Incarnation a = log.serve("a");
    private final Incarnation b = log.serve("b");

    /** The offset of a third heartbeat that has just been written. */
    private long third() {
        return log.view().next() - 1;
    }

    private void condemn(Incarnation member) {
        log.write(new Condemned(a, member));
    }

    @Test
    void ofTwoNodesTheYoungerOneLeaves() {
        log.beat(a, Map.of(b, third()));
        assertThat(log.view().mustLeave()).isEqualTo(b);

        log.beat(b, Map.of(a, third()));
        assertThat(log.view().mustLeave()).as("one pair, whoever names it").isEqualTo(b);
    }

    @Test
    void aNameThatIsNewDoesNotCount() {
        log.beat(a, Map.of(b, Heartbeat.NEW));
        log.beat(b, Map.of(a, Heartbeat.NEW));

        assertThat(log.view().mustLeave()).isNull();
        condemn(b);
        assertThat(log.view().isCondemned(b)).isFalse();
    }

    @Test
    void everyMemberButTheNamedOneMustHaveReadTheName() {
        Incarnation c = log.serve("c");
        log.beat(c, Map.of(a, third()));
        long named = third();
        log.beat(c, Map.of(a, named));
        assertThat(log.view().mustLeave()).as("b may name others by then").isNull();

        log.beat(b);
        assertThat(log.view().mustLeave()).isEqualTo(c);
    }

    @Test
    void theNodeWithMostBrokenLinksLeavesThoughItIsTheEldest() {
        Incarnation c = log.serve("c");
        long named = third();
        log.beat(a);
        log.beat(b, Map.of(a, named));
        log.beat(c, Map.of(a, named));

        assertThat(log.view().mustLeave()).isEqualTo(a);
        condemn(c);
        assertThat(log.view().isCondemned(c))
                .as("that node is not the one that must leave")
                .isFalse();
        condemn(a);
        assertThat(log.view().isCondemned(a)).isTrue();
    }

    @Test
    void aNameThatIsNewCountsForANodeThatAnotherNameHasFound() {
        Incarnation c = log.serve("c");
        long named = third();
        log.beat(a);
        log.beat(b, Map.of(a, named));
        assertThat(log.view().mustLeave()).as("not read by c").isNull();
        log.beat(c, Map.of(a, Heartbeat.NEW));

        assertThat(log.view().mustLeave()).as("c names a later than b").isEqualTo(a);
    }

    @Test
    void aNameOfANodeThatHasEndedDoesNotCount() {
        Incarnation c = log.serve("c");
        Incarnation d = log.serve("d");
        long named = third();
        log.write(new Left(d));
        log.beat(a);
        log.beat(b, Map.of(d, named, c, named));
        log.beat(c);

        assertThat(log.view().mustLeave()).isEqualTo(c);
    }

    @Test
    void oneNodeLeavesAtATime() {
        Incarnation c = log.serve("c");
        Incarnation d = log.serve("d");
        long named = third();
        log.beat(a, Map.of(c, named, d, named));
        log.beat(b, Map.of(c, named, d, named));
        log.beat(c, Map.of(a, named, b, named));
        log.beat(d, Map.of(a, named, b, named));
        condemn(d);
        assertThat(log.view().isCondemned(d)).isTrue();
        assertThat(log.view().mustLeave()).isNull();
        condemn(c);
        assertThat(log.view().isCondemned(c)).isFalse();

        log.write(new Left(d));
        assertThat(log.view().mustLeave())
                .as("c has two broken links, a and b have one")
                .isEqualTo(c);
        condemn(c);
        log.write(new Left(c));
        assertThat(log.view().mustLeave()).isNull();
        assertThat(log.view().members()).extracting(Member::incarnation).containsExactly(a, b);
    }

    @Test
    void whatACondemnedNodeWritesIsVoidUntilItLeaves() {
        log.take(a);
        log.beat(a);
        log.beat(b, Map.of(a, third() - 1));
        condemn(b);
        Member condemned = Objects.requireNonNull(log.view().member(b));
        log.write(new Heartbeat(
                b, condemned.node(), MemberState.SERVING, 9, log.view().next(), Set.of(), Map.of()));
        assertThat(log.view().member(b)).isEqualTo(condemned);

        log.release(a);
        log.write(new Took(b, Set.of(0, 1, 2, 3)));
        assertThat(log.view().free()).hasSize(4);
        assertThat(log.view().ownedBy(b)).isEmpty();
        log.write(new Left(b));
        assertThat(log.view().isMember(b)).isFalse();
    }
}
