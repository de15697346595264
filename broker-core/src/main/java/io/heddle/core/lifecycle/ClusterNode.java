package io.heddle.core.lifecycle;

import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.ClusterRole.Role;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.node.operation.NodeReport;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster for administrators.
 *
 * @param incarnation the id of its run
 * @param address where operators find it; may be empty
 * @param role as far as the log of nodes tells
 * @param buckets the number of buckets that it holds
 * @param connections the number of its open MQTT connections some seconds ago at most; null if it is not known
 * @param version of the program; null if it is not known
 * @param cpuUsage of the process some seconds ago at most, from 0 to 1 (all processors that it may use); null if it is not known
 * @param recordsBehind the number of records of the log of nodes that the node had not read at its last heartbeat
 * @param isSelf whether it is the node that answers
 * @param linkAddress where it listens for links; empty if it opens none
 * @param isLinkUp whether all lanes from the answering node to this one are connected; null for the answering node and without links
 */
public record ClusterNode(
        String nodeId,
        String incarnation,
        String address,
        Role role,
        int buckets,
        @Nullable Integer connections,
        @Nullable String version,
        @Nullable Double cpuUsage,
        long recordsBehind,
        boolean isSelf,
        String linkAddress,
        @Nullable Boolean isLinkUp) {
    /** Describes another node from the log of nodes, which does not tell whether an owner still reads its stores. */
    public static ClusterNode other(Member member, View view, NodeLinks links, @Nullable NodeReport report) {
        int buckets = view.heldBy(member.incarnation()).size();
        Role role = switch (member.state()) {
            case JOINED -> Role.JOINING;
            case SERVING ->
                buckets == 0 && !view.ownedBy(member.incarnation()).isEmpty() ? Role.TAKING_OVER : Role.SERVING;
            case DRAINING, CONDEMNED -> Role.LEAVING;
        };
        boolean hasLink = !member.node().link().address().isEmpty();
        return of(member, role, buckets, report, false, hasLink ? links.isUp(member.incarnation()) : null);
    }

    /** Describes the node that answers. */
    public static ClusterNode self(Member member, View view, Role role, @Nullable NodeReport report) {
        return of(member, role, view.heldBy(member.incarnation()).size(), report, true, null);
    }

    private static ClusterNode of(
            Member member,
            Role role,
            int buckets,
            @Nullable NodeReport report,
            boolean isSelf,
            @Nullable Boolean isLinkUp) {
        return new ClusterNode(
                member.node().id().value(),
                member.incarnation().toString(),
                member.node().address(),
                role,
                buckets,
                report == null ? null : report.connections(),
                report == null || report.programVersion().isEmpty() ? null : report.programVersion(),
                report == null || report.cpuThousandths() == null ? null : report.cpuThousandths() / 1e3,
                member.recordsBehind(),
                isSelf,
                member.node().link().address(),
                isLinkUp);
    }
}
