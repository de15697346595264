package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.ClusterEntry;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.lifecycle.TakeoverWatch;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.kafka.nodes.KafkaNodeLog;
import io.heddle.persistence.kafka.nodes.KafkaProducerFencing;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes this node into the cluster once the stores are open, and out of it before they are closed. Started and stopped by one thread at a time;
 * any thread may use it.
 */
final class ClusterStartup implements StartupPhase {
    private final HeddleSettings settings;
    private final Stores stores;
    private final BooleanSupplier isAlone;
    private final NodeEnd end;
    private final SteadyClock clock;
    private final ClusterLinks links;
    private final MeterRegistry metrics;
    private final ClusterRole role;
    private volatile ClusterEntry.Waiting announcement = _ -> {};
    private volatile @Nullable Started started;
    private volatile Runnable refuseAppends = () -> {};

    private record Started(
            KafkaNodeLog log, Membership membership, RoutingLease lease, ClusterEntry entry, TakeoverWatch watch) {}

    /** @param isAlone whether no other process can use the stores */
    ClusterStartup(
            HeddleSettings settings,
            Stores stores,
            BooleanSupplier isAlone,
            NodeEnd end,
            SteadyClock clock,
            ClusterLinks links,
            MeterRegistry metrics) {
        this.settings = settings;
        this.stores = stores;
        this.isAlone = isAlone;
        this.end = end;
        this.clock = clock;
        this.links = links;
        this.metrics = metrics;
        this.role = new ClusterRole(System::nanoTime, metrics);
    }

    @Override
    public String name() {
        return "the membership in the cluster";
    }

    @Override
    public void start() {
        LocalProcesses processes = LocalProcesses.ofThisMachine();
        MembershipSettings membershipSettings = settings.cluster()
                .toMembershipSettings(
                        settings.node(),
                        processes.self(),
                        isAlone.getAsBoolean(),
                        settings.kafka().connectTimeout(),
                        links.endpoint());
        RoutingLease lease = membershipSettings.isAlone()
                ? RoutingLease.unlimited()
                : new RoutingLease(membershipSettings.routingLease(), System::nanoTime, metrics);
        KafkaNodeLog log = KafkaNodeLog.open(stores.kafka(), settings.node().id(), metrics);
        boolean complete = false;
        try {
            Membership membership = new Membership(
                    log,
                    membershipSettings,
                    settings.buckets().count(),
                    processes,
                    lease,
                    System::nanoTime,
                    this::onOver,
                    metrics);
            membership.onView(links::onView);
            ClusterEntry entry = new ClusterEntry(
                    membership,
                    new KafkaProducerFencing(stores.kafka()),
                    membershipSettings,
                    clock::millis,
                    new SecureRandom(),
                    role,
                    owner -> announcement.onStandby(owner));
            TakeoverWatch watch = new TakeoverWatch(membership, lease, stores.ownerNotice(), membershipSettings);
            started = new Started(log, membership, lease, entry, watch);
            entry.start();
            if (!membershipSettings.isAlone()) {
                watch.start();
            }
            complete = true;
        } finally {
            if (!complete) {
                started = null;
                log.close();
            }
        }
    }

    /** Sets what is done when another node serves. Before the start. */
    void announceStandby(ClusterEntry.Waiting action) {
        announcement = action;
    }

    /** Returns the role of this node, which is also the phase that completes a takeover. */
    ClusterRole role() {
        return role;
    }

    /** Returns the members of the cluster; none before the start and after the stop. */
    List<ClusterNode> members() {
        Started current = started;
        if (current == null) {
            return List.of();
        }
        Membership membership = current.membership();
        View view = membership.view();
        return view.members().stream()
                .map(each -> membership.isSelf(each.incarnation())
                        ? ClusterNode.self(each, view, role.role())
                        : ClusterNode.other(each, view, links.links()))
                .toList();
    }

    private void onOver(String sentence) {
        refuseAppends.run();
        end.action().accept(sentence);
    }

    /** Sets the action that keeps this node from appending when it is over. */
    void setRefusal(Runnable action) {
        refuseAppends = action;
        if (life().isOver()) {
            action.run();
        }
    }

    /**
     * Returns the life of this node.
     *
     * @throws IllegalStateException unless started or starting
     */
    NodeLife life() {
        return started().membership();
    }

    /**
     * Returns the lease for acknowledgements of routed messages.
     *
     * @throws IllegalStateException unless started or starting
     */
    RoutingLease lease() {
        return started().lease();
    }

    private Started started() {
        Started current = started;
        if (current == null) {
            throw new IllegalStateException("this node has not joined the cluster");
        }
        return current;
    }

    @Override
    public void stop() {
        Started stopped = started;
        started = null;
        if (stopped != null) {
            stopped.watch().stop();
            stopped.entry().stop();
            stopped.log().close();
        }
    }
}
