package io.heddle.core.node.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.sys.NodeFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeReportsTest {
    private final OperatedCluster cluster = new OperatedCluster();
    private final Incarnation a = cluster.serve("a");
    private final Incarnation b = cluster.serve("b");

    @Test
    void allNodesKnowWhatANodeHasToldAboutItself() {
        NodeReport report = new NodeReport(
                70_000, "b.example:1883", "its link to c is down", new NodeFigures(1, 2, 3, 4, 5, 6, 7, 8, 9L << 40));

        cluster.reports(b).tell(b, report);
        cluster.links.deliver();

        assertThat(cluster.reports(a).of(b)).isEqualTo(report);
        assertThat(cluster.reports(b).of(b)).isEqualTo(report);
        assertThat(cluster.reports(a).of(a)).isNull();
    }

    @Test
    void theReportOfASilentNodeIsForgotten() {
        cluster.tell(b, 1, "", "");

        cluster.nanos += Duration.ofSeconds(5).toNanos();
        assertThat(cluster.reports(a).of(b)).isNotNull();
        cluster.nanos++;
        assertThat(cluster.reports(a).of(b)).isNull();
    }

    @Test
    void reportsDoNotWaitForALinkThatIsDown() {
        cluster.links.cut(a, b);
        cluster.tell(a, 1, "", "");
        cluster.links.heal(a, b);

        cluster.links.deliver();

        assertThat(cluster.reports(b).of(a)).isNull();
        assertThat(cluster.reports(a).orderRebalance(b, 1)).isTrue();
    }

    @Test
    void anOrderToRebalanceReachesTheNodeUnlessItsLinkIsDown() {
        List<Integer> orders = new ArrayList<>();
        cluster.reports(b).onRebalance(orders::add);

        assertThat(cluster.reports(a).orderRebalance(b, 110)).isTrue();
        cluster.links.deliver();
        cluster.links.cut(a, b);

        assertThat(cluster.reports(a).orderRebalance(b, 120)).isFalse();
        assertThat(orders).containsExactly(110);
    }

    @Test
    void aFrameOfALaterVersionChangesNothing() {
        cluster.tell(b, 1, "", "");
        byte[] later = new NodeReport(2, "", "", NodeFigures.NONE).encode();
        later[0] = 3;

        assertThatThrownBy(() -> NodeReport.decode(later)).isInstanceOf(MalformedFrameException.class);
        cluster.links.node(b).send(a, NodeLinks.CONTROL, NodeReport.KIND, later);
        assertThatThrownBy(cluster.links::deliver).isInstanceOf(MalformedFrameException.class);

        assertThat(cluster.reports(a).of(b)).isEqualTo(new NodeReport(1, "", "", NodeFigures.NONE));
    }
}
