package io.heddle.core.node.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Left;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SteadinessTest {
    private final OperatedCluster cluster = new OperatedCluster();
    private final Incarnation a = cluster.serve("a");
    private final Incarnation b = cluster.serve("b");

    private Steadiness steadiness() {
        return Steadiness.of(cluster.view(), cluster.reports(a)::of);
    }

    private List<String> obstacles() {
        return steadiness().obstacles();
    }

    private void tellAll() {
        cluster.tell(a, 1, "", "");
        cluster.tell(b, 2, "", "");
    }

    @Test
    void aClusterIsSteadyWhenEachBucketHasItsOwnerAndNoNodeReportsAnObstacle() {
        cluster.settle();
        tellAll();

        assertThat(steadiness().isSteady()).isTrue();
        assertThat(steadiness().servingNodes()).isEqualTo(2);
    }

    @Test
    void bucketsWithoutAHolderAreAnObstacle() {
        tellAll();

        assertThat(obstacles()).containsExactly("buckets without a holder: 6");
    }

    @Test
    void bucketsThatAreToMoveAreAnObstacle() {
        cluster.settle();
        Incarnation c = cluster.serve("c");
        tellAll();
        cluster.tell(c, 0, "", "");

        assertThat(obstacles()).singleElement().asString().startsWith("buckets that another node is about to take: ");

        cluster.settle();
        assertThat(obstacles()).isEmpty();
    }

    @Test
    void aNodeThatJoinsOrLeavesIsAnObstacleUntilItServesOrHasLeft() {
        cluster.settle();
        tellAll();
        cluster.join("c");
        assertThat(obstacles()).containsExactly("c is joining");

        cluster.write(new Draining(b));
        assertThat(obstacles()).contains("b is about to leave", "buckets that another node is about to take: 3");
        assertThat(steadiness().servingNodes()).isOne();
        cluster.settle();
        cluster.write(new Left(b));
        assertThat(obstacles()).containsExactly("c is joining");
    }

    @Test
    void aNodeThatReportsAnObstacleOrNothingIsAnObstacle() {
        cluster.settle();
        cluster.tell(a, 1, "", "its link to b is down");

        assertThat(obstacles()).containsExactly("a: its link to b is down", "b has sent no report in the last seconds");
    }
}
