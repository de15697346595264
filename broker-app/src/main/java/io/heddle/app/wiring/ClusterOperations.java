package io.heddle.app.wiring;

import io.heddle.app.drain.DrainSettings;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.ClusterRole.Role;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.node.operation.ConnectionRebalance;
import io.heddle.core.node.operation.NodeReport;
import io.heddle.core.node.operation.NodeReports;
import io.heddle.core.node.operation.OtherServers;
import io.heddle.core.node.operation.RebalancePlan;
import io.heddle.core.node.operation.RebalancePlan.Share;
import io.heddle.core.node.operation.Steadiness;
import io.heddle.core.operator.store.TransactionWatch;
import io.heddle.core.sys.BrokerMeters;
import io.heddle.core.sys.CpuUsage;
import io.heddle.core.sys.NodeFigures;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the state of this node, reports it to the others, and closes connections that are more than its share. Started and stopped by one
 * thread at a time; has a thread of its own in between. Any thread may call the other methods.
 */
final class ClusterOperations implements StartupPhase {
    private static final Duration REPORT = Duration.ofSeconds(1);
    private static final Duration REBALANCE = Duration.ofMillis(100);
    private static final int REBALANCES_OF_A_REPORT = (int) REPORT.dividedBy(REBALANCE);

    /** A node that follows under load has always some records to read. */
    private static final double MAXIMUM_LAG = 1_000;

    private final ClusterStartup cluster;
    private final MqttListeners listeners;
    private final BrokerMeters meters;
    private final TransactionWatch transactions;
    private final MeterRegistry metrics;
    private final String version;
    private final CpuUsage cpuUsage = CpuUsage.ofThisProcess();
    private final ConnectionRebalance rebalance;
    private final Housekeeping thread = Housekeeping.paced("cluster-operations", REPORT, this::run);
    // Of the thread: since the last report, while connections are rebalanced.
    private int turns;

    ClusterOperations(
            DrainSettings settings,
            ClusterStartup cluster,
            MqttListeners listeners,
            BrokerMeters meters,
            TransactionWatch transactions,
            MeterRegistry metrics,
            String version) {
        this.cluster = cluster;
        this.listeners = listeners;
        this.meters = meters;
        this.transactions = transactions;
        this.metrics = metrics;
        this.version = version;
        this.rebalance = new ConnectionRebalance(new Connections(), settings.rate(), System::nanoTime, metrics);
    }

    @Override
    public String name() {
        return "the operation of the cluster";
    }

    @Override
    public void start() {
        NodeReports reports = cluster.nodeReports();
        if (reports != null) {
            reports.onRebalance(rebalance::order);
        }
        thread.start();
    }

    /** Returns the pause before the next run. */
    private Duration run() {
        boolean isRebalancing = rebalance.advance();
        turns = isRebalancing ? (turns + 1) % REBALANCES_OF_A_REPORT : 0;
        if (turns == 0) {
            report();
        }
        return isRebalancing ? REBALANCE : REPORT;
    }

    private void report() {
        cpuUsage.measure();
        Membership membership = cluster.membership();
        NodeReports reports = cluster.nodeReports();
        if (membership != null && reports != null) {
            reports.tell(membership.incarnation(), ownReport());
        }
    }

    private NodeReport ownReport() {
        String obstacle = ownObstacle();
        return new NodeReport(
                listeners.connectionCount(),
                listeners.advertised(),
                obstacle,
                meters.figures(),
                version,
                cpuUsage.thousandths());
    }

    /** Returns the members of the cluster; none before the start and after the stop. Any thread. */
    List<ClusterNode> members() {
        return cluster.members(ownReport());
    }

    private String ownObstacle() {
        String ofTransactions = transactions.obstacle();
        if (!ofTransactions.isEmpty()) {
            return ofTransactions;
        }
        if (!cluster.isSettled()) {
            return "it has yet to take or release buckets";
        }
        if (cluster.role().role() != Role.SERVING) {
            return "it does not serve clients";
        }
        for (ClusterNode each : cluster.members(null)) {
            if (Boolean.FALSE.equals(each.isLinkUp())) {
                return "its link to " + each.nodeId() + " is down";
            }
        }
        double lag = metrics.find("heddle.followed.lag").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
        return lag > MAXIMUM_LAG
                ? "it has yet to read " + (long) lag + " records of heddle.clients, heddle.retained and heddle.progress"
                : "";
    }

    /** The connections of this node as the rebalance sees them. */
    private final class Connections implements ConnectionRebalance.Clients {
        @Override
        public int count() {
            return listeners.connectionCount();
        }

        @Override
        public IntUnaryOperator closing() {
            return listeners.closing("this server has more than its share of the clients", otherServers());
        }
    }

    private Supplier<@Nullable String> otherServers() {
        Membership membership = cluster.membership();
        NodeReports reports = cluster.nodeReports();
        return membership == null || reports == null
                ? () -> null
                : new OtherServers(membership.view(), membership.incarnation(), reports);
    }

    /** Returns the latest figures of the other members, by their node ids. Any thread. */
    Map<String, NodeFigures> figuresOfOthers() {
        Membership membership = cluster.membership();
        NodeReports reports = cluster.nodeReports();
        if (membership == null || reports == null) {
            return Map.of();
        }
        Map<String, NodeFigures> figures = new TreeMap<>();
        for (Member member : membership.view().members()) {
            NodeReport report = reports.of(member.incarnation());
            if (report != null && !member.incarnation().equals(membership.incarnation())) {
                figures.put(member.node().id().value(), report.figures());
            }
        }
        return figures;
    }

    Steadiness steadiness() {
        Membership membership = cluster.membership();
        NodeReports reports = cluster.nodeReports();
        return membership == null || reports == null
                ? Steadiness.ofNoMember()
                : Steadiness.of(membership.view(), reports::of);
    }

    /** Orders the nodes that have more than their share to close connections, unless the connections of a node are unknown. */
    RebalancePlan rebalance() {
        Membership membership = cluster.membership();
        NodeReports reports = cluster.nodeReports();
        if (membership == null || reports == null) {
            return new RebalancePlan(List.of(), List.of());
        }
        View view = membership.view();
        RebalancePlan plan = RebalancePlan.of(view, reports);
        Incarnation self = membership.incarnation();
        for (Share share : plan.shares()) {
            if (share.surplus() > 0 && share.incarnation().equals(self)) {
                rebalance.order(share.target());
            } else if (share.surplus() > 0) {
                var _ = reports.orderRebalance(share.incarnation(), share.target());
            }
        }
        return plan;
    }

    @Override
    public void stop() {
        thread.stop();
    }
}
