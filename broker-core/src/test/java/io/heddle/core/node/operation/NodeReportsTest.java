package io.heddle.core.node.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.sys.NodeFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeReportsTest {
    /** 7 connections, the address h:1, the obstacle x, the figures 1 to 9, version 1.0 of the program and a CPU usage of 258 thousandths. */
    private static final String REPORT = "03" + "00000007" + "0003683a31" + "000178"
            + "000000000000000100000000000000020000000000000003"
            + "000000000000000400000000000000050000000000000006"
            + "000000000000000700000000000000080000000000000009"
            + "0003312e30" + "0102";

    private final OperatedCluster cluster = new OperatedCluster();
    private final Incarnation a = cluster.serve("a");
    private final Incarnation b = cluster.serve("b");

    @Test
    void allNodesKnowWhatANodeHasToldAboutItself() {
        NodeReport report = new NodeReport(
                70_000,
                "b.example:1883",
                "its link to c is down",
                new NodeFigures(1, 2, 3, 4, 5, 6, 7, 8, 9L << 40),
                "1.2.3-SNAPSHOT",
                1_000);

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
    void aReportHasTheseBytes() {
        NodeFigures figures = new NodeFigures(1, 2, 3, 4, 5, 6, 7, 8, 9);
        NodeReport report = new NodeReport(7, "h:1", "x", figures, "1.0", 258);

        assertThat(HexFormat.of().formatHex(report.encode())).isEqualTo(REPORT);
        assertThat(NodeReport.decode(bytes(REPORT))).isEqualTo(report);
    }

    @Test
    void aFrameThatCannotBeReadIsCountedAndChangesNothing() {
        cluster.tell(b, 1, "", "");
        List<Integer> orders = new ArrayList<>();
        cluster.reports(a).onRebalance(orders::add);

        send(b, bytes("02" + REPORT.substring(2)));
        send(b, bytes(REPORT.substring(0, REPORT.length() - 2)));
        send(b, bytes(REPORT + "00"));
        send(b, bytes(""));
        cluster.links.node(b).send(a, NodeLinks.CONTROL, NodeReports.REBALANCE_KIND, bytes("0200000001"));
        cluster.links.deliver();

        assertThat(cluster.reports(a).of(b)).isEqualTo(new NodeReport(1, "", "", NodeFigures.NONE, "1.0", null));
        assertThat(orders).isEmpty();
        assertThat(malformed()).isEqualTo(5);
    }

    private void send(Incarnation from, byte[] frame) {
        cluster.links.node(from).send(a, NodeLinks.CONTROL, NodeReport.KIND, frame);
        cluster.links.deliver();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private double malformed() {
        return cluster.metrics
                .get("heddle.cluster.frames.malformed")
                .tag("of", "reports")
                .counter()
                .count();
    }
}
