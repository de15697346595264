package io.heddle.app.wiring;

import io.heddle.app.drain.Drain;
import io.heddle.core.FailureLog;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.node.operation.NodeReports;
import io.heddle.core.node.operation.OtherServers;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node as its drain sees it. Any thread. */
final class DrainingMember implements Drain.Cluster {
    private static final Logger log = LoggerFactory.getLogger(DrainingMember.class);

    private final Supplier<@Nullable Membership> joined;
    private final Function<NodeRecord, CompletionStage<?>> nodes;
    private final ClusterRole role;
    private final Supplier<@Nullable NodeReports> reports;

    /**
     * @param joined returns the membership, or null while this node is no member
     * @param nodes appends a record to the log of nodes
     * @param reports returns what the nodes report about themselves, or null
     */
    DrainingMember(
            Supplier<@Nullable Membership> joined,
            Function<NodeRecord, CompletionStage<?>> nodes,
            ClusterRole role,
            Supplier<@Nullable NodeReports> reports) {
        this.joined = joined;
        this.nodes = nodes;
        this.role = role;
        this.reports = reports;
    }

    @Override
    public boolean doOthersServe() {
        Membership membership = joined.get();
        if (membership == null || membership.isOver()) {
            return false;
        }
        View view = membership.view();
        return view.members().stream()
                .anyMatch(each -> each.state() == MemberState.SERVING
                        && !membership.isSelf(each.incarnation())
                        && !view.heldBy(each.incarnation()).isEmpty());
    }

    @Override
    public boolean isHandedOver() {
        Membership membership = joined.get();
        if (membership == null) {
            return true;
        }
        View view = membership.view();
        return view.free().isEmpty() && view.heldBy(membership.incarnation()).isEmpty();
    }

    @Override
    public Supplier<@Nullable String> otherServers() {
        Membership membership = joined.get();
        NodeReports latest = reports.get();
        return membership == null || latest == null
                ? () -> null
                : new OtherServers(membership.view(), membership.incarnation(), latest);
    }

    @Override
    public void announce(Duration atMost) throws InterruptedException {
        Membership membership = joined.get();
        if (membership == null) {
            return;
        }
        role.onDraining();
        try {
            var _ = nodes.apply(new Draining(membership.incarnation()))
                    .toCompletableFuture()
                    .get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            FailureLog.warn(log, "Kafka did not accept that this node drains; it keeps its buckets until it leaves", e);
        }
    }
}
