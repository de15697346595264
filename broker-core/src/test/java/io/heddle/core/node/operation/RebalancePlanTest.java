package io.heddle.core.node.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.node.operation.RebalancePlan.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RebalancePlanTest {
    private final OperatedCluster cluster = new OperatedCluster();
    private final Incarnation a = cluster.serve("a");
    private final Incarnation b = cluster.serve("b");
    private final Incarnation c = cluster.serve("c");

    private RebalancePlan plan(int ofA, int ofB, int ofC) {
        cluster.tell(a, ofA, "", "");
        cluster.tell(b, ofB, "", "");
        cluster.tell(c, ofC, "", "");
        return RebalancePlan.of(cluster.view(), cluster.reports(b));
    }

    private List<Integer> surplus(int ofA, int ofB, int ofC) {
        return plan(ofA, ofB, ofC).shares().stream().map(Share::surplus).toList();
    }

    @Test
    void aNodeClosesWhatIsMoreThanATenthAboveTheMean() {
        assertThat(surplus(600, 300, 0)).containsExactly(270, 0, 0);
        assertThat(surplus(330, 300, 270)).containsExactly(0, 0, 0);
        assertThat(surplus(331, 300, 269)).containsExactly(1, 0, 0);
        assertThat(surplus(0, 0, 0)).containsExactly(0, 0, 0);
    }

    @Test
    void fewConnectionsAreDividedAsEvenlyAsPossible() {
        assertThat(surplus(3, 0, 0)).containsExactly(2, 0, 0);
        assertThat(surplus(2, 2, 0)).containsExactly(0, 0, 0);
        assertThat(surplus(1, 0, 0)).containsExactly(0, 0, 0);
    }

    @Test
    void nodesThatDoNotServeHaveNoShare() {
        Incarnation joining = cluster.join("d");
        cluster.tell(joining, 0, "", "");
        cluster.write(new Draining(c));

        RebalancePlan plan = plan(400, 0, 1_000);

        assertThat(plan.shares()).extracting(Share::nodeId).containsExactly("a", "b");
        assertThat(plan.shares()).extracting(Share::target).containsExactly(220, 0);
    }

    @Test
    void nothingIsClosedWhileTheConnectionsOfANodeAreUnknown() {
        cluster.tell(a, 1_000, "", "");
        cluster.tell(b, 0, "", "");

        RebalancePlan plan = RebalancePlan.of(cluster.view(), cluster.reports(b));

        assertThat(plan.unknown()).containsExactly("c");
        assertThat(plan.shares()).extracting(Share::surplus).containsExactly(0, 0);
    }

    @Test
    void eachClientIsSentToTheServingNodeThatHasTheFewestConnections() {
        cluster.tell(a, 10, "a:1", "");
        cluster.tell(b, 7, "b:1", "");
        cluster.tell(c, 5, "c:1", "");

        OtherServers servers = new OtherServers(cluster.view(), a, cluster.reports(a));

        assertThat(List.of(next(servers), next(servers), next(servers), next(servers)))
                .containsExactly("c:1", "c:1", "b:1", "c:1");
    }

    @Test
    void noClientIsSentToANodeThatIsAboutToLeaveOrHasToldNoAddress() {
        cluster.tell(b, 0, "", "");
        cluster.tell(c, 0, "c:1", "");
        cluster.write(new Draining(c));

        assertThat(new OtherServers(cluster.view(), a, cluster.reports(a)).get())
                .isNull();
    }

    private static String next(OtherServers servers) {
        return String.valueOf(servers.get());
    }
}
