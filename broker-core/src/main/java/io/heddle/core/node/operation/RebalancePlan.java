package io.heddle.core.node.operation;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.View;
import java.util.ArrayList;
import java.util.List;

/**
 * How many connections each serving node may keep, so that none has more than {@value #TOLERANCE_PERCENT} % above the mean.
 *
 * @param shares of the serving nodes that have reported, in the order in which they joined
 * @param unknown node ids of the others. If there are any, the mean is not known, and no node closes connections
 */
public record RebalancePlan(List<Share> shares, List<String> unknown) {
    private static final int TOLERANCE_PERCENT = 10;

    /**
     * The share of a node.
     *
     * @param connections that it has
     * @param surplus the number of connections that it closes
     */
    public record Share(String nodeId, Incarnation incarnation, int connections, int surplus) {
        /** Returns the number of connections that the node keeps. */
        public int target() {
            return connections - surplus;
        }
    }

    /** @param shares not changed afterwards */
    public RebalancePlan {
        shares = List.copyOf(shares);
        unknown = List.copyOf(unknown);
    }

    /** Plans for the serving members. */
    public static RebalancePlan of(View view, NodeReports reports) {
        List<Share> found = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Member member : view.members()) {
            String nodeId = member.node().id().value();
            NodeReport report = reports.of(member.incarnation());
            if (member.state() == MemberState.SERVING && report == null) {
                unknown.add(nodeId);
            } else if (member.state() == MemberState.SERVING && report != null) {
                found.add(new Share(nodeId, member.incarnation(), report.connections(), 0));
            }
        }
        if (found.isEmpty() || !unknown.isEmpty()) {
            return new RebalancePlan(found, unknown);
        }
        int target = target(found);
        return new RebalancePlan(
                found.stream()
                        .map(each -> new Share(
                                each.nodeId(),
                                each.incarnation(),
                                each.connections(),
                                Math.max(0, each.connections() - target)))
                        .toList(),
                unknown);
    }

    /** Returns the most connections that a node may have: the tolerance above the mean, and at least the mean, rounded up. */
    private static int target(List<Share> shares) {
        long total = shares.stream().mapToLong(Share::connections).sum();
        long tolerated = total * (100 + TOLERANCE_PERCENT) / (100L * shares.size());
        return (int) Math.max(tolerated, Math.ceilDiv(total, shares.size()));
    }
}
