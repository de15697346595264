package io.heddle.core.node;

import io.heddle.core.changelog.FollowedPositions;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.bucket.remote.PushPeers;
import io.heddle.core.delivery.bucket.remote.PushRouting;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.node.operation.NodeReports;
import io.heddle.core.retained.OtherWriters;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.Epochs;
import io.heddle.core.session.registrar.remote.ClusterRegistrar;
import io.heddle.core.session.registrar.remote.ClusterRouting;
import io.heddle.core.session.registrar.settlement.CommittedOffsets;
import io.heddle.core.session.registrar.settlement.FollowedReports;
import io.heddle.core.session.registrar.settlement.JoinBarrier;
import io.heddle.core.session.registrar.settlement.LinkSettlement;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The ways of a node to the others of the cluster, over links. Constructed before the node joins, because it sets the
 * receivers of frames. Thread-safe.
 *
 * <p>States: constructed → {@linkplain #onJoined joined} → {@linkplain #enter entered}: the others settle no change of a
 * subscription without this node.
 */
public final class ClusterRoutes implements BucketListener {
    private final RetainedMessages retained;
    private final RoutingLease lease;
    private final BucketLoops loops;
    private final CommittedOffsets committed;
    private final FollowedReports reports;
    private final JoinBarrier barrier;
    private final ClusterRouting registrar;
    private final ClusterMessages messages;
    private final NodeReports nodeReports;
    private final NodeRoutes routes;
    private volatile @Nullable Incarnation self;
    private volatile Set<Incarnation> others = Set.of();
    private volatile @Nullable View latest;
    // The position of the first of the latest views, if all of them have no other member.
    private volatile long aloneSince = OtherWriters.PRESENT;
    // Guarded by this.
    private long next;

    /**
     * Sets the receivers of frames.
     *
     * @param eventLoops in the order of their indexes
     * @param lease of this node
     * @param nanoTime the clock of the lease
     */
    public ClusterRoutes(
            int bucketCount,
            List<EventLoop> eventLoops,
            NodeLinks links,
            RoutingLease lease,
            NodeResources node,
            LongSupplier nanoTime) {
        this.retained = node.retained();
        this.lease = lease;
        this.loops = new BucketLoops(eventLoops);
        this.committed = new CommittedOffsets(bucketCount);
        this.reports = new FollowedReports(links, bucketCount, eventLoops.getFirst());
        this.barrier = new JoinBarrier(reports);
        this.registrar = new ClusterRouting(
                this::self,
                new Buckets(bucketCount),
                loops,
                links,
                committed,
                new LinkSettlement(reports, committed, node.metrics()),
                node.metrics());
        this.messages = new ClusterMessages(eventLoops, links, node);
        this.nodeReports = new NodeReports(links, nanoTime, node.metrics());
        this.routes = new NodeRoutes(registrar, new PushRouting(links, new Peers()), messages, this::absence, this);
    }

    /** Returns the ways, for the construction of the node. */
    public NodeRoutes routes() {
        return routes;
    }

    /** Returns what the nodes report to each other. */
    public NodeReports nodeReports() {
        return nodeReports;
    }

    /** Returns a log through which this node must commit the changes of its clients. Called once. */
    public ClientLog committing(ClientLog log) {
        return committed.of(log);
    }

    /**
     * Returns what must be told how far this node has applied the log of the clients. The others learn it when the retained messages that this
     * node has routed before are where a new subscriber finds them.
     */
    public FollowedPositions.Listener followed() {
        return (bucket, next) -> retained.whenSettled(() -> reports.applied(bucket, next));
    }

    /** This node has joined. Before the node is constructed. */
    public void onJoined(Incarnation joined, View view) {
        self = joined;
        reports.start(joined);
        onView(view);
    }

    private Incarnation self() {
        Incarnation joined = self;
        if (joined == null) {
            throw new IllegalStateException("this node has not joined");
        }
        return joined;
    }

    /** The log of nodes was read further. Called for each view in its order, before anything else acts upon the view. Does not block. */
    public synchronized void onView(View view) {
        Incarnation joined = self;
        if (joined == null || view.next() < next) {
            return;
        }
        next = view.next();
        latest = view;
        registrar.onView(view);
        reports.onView(view);
        // In order, so that a simulated run can be repeated.
        Set<Incarnation> members = new TreeSet<>();
        for (Member member : view.members()) {
            members.add(member.incarnation());
        }
        members.remove(joined);
        others = Collections.unmodifiableSet(members);
        if (!members.isEmpty()) {
            aloneSince = OtherWriters.PRESENT;
        } else if (aloneSince == OtherWriters.PRESENT) {
            aloneSince = view.next();
        }
        messages.onMembers(others);
        nodeReports.onMembers(others);
    }

    /** A node that joins serves only when this one knows it, or when the lease has ended. */
    private long absence() {
        long since = aloneSince;
        return lease.isValid() ? since : OtherWriters.PRESENT;
    }

    /**
     * Announces that this node is about to route messages. Once, after the node was constructed.
     *
     * @return completes when all members wait for this node before they settle a change of a subscription. Then the node must read the
     *     followed logs to their ends, to learn what was settled without it
     */
    public CompletionStage<Void> enter() {
        return barrier.enter();
    }

    /** Completes when this node knows the subscribers of all members. Before it serves. */
    public CompletionStage<Void> whenInStep() {
        return messages.whenInStep();
    }

    @Override
    public void onRead(int bucket, long next) {
        committed.onTaken(bucket, next);
    }

    @Override
    public void onHeld(int bucket, long took, Epochs epochs) {
        ClusterRegistrar cluster = registrar.registrar();
        loops.of(bucket).execute(() -> cluster.hold(bucket, took, epochs.next()));
    }

    @Override
    public void onReleasing(int bucket) {
        ClusterRegistrar cluster = registrar.registrar();
        loops.of(bucket).execute(() -> cluster.release(bucket));
    }

    /** The other members. */
    private final class Peers implements PushPeers {
        @Override
        public Set<Incarnation> others() {
            return others;
        }

        @Override
        public boolean isHolder(Incarnation member, int bucket) {
            View view = latest;
            return view != null && member.equals(view.holder(bucket));
        }
    }
}
