package io.heddle.app.wiring;

import io.heddle.app.drain.Drain;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.BucketHolding;
import io.heddle.core.lifecycle.BucketHoldingThread;
import io.heddle.core.lifecycle.ClusterEntry;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.lifecycle.DeathNotice;
import io.heddle.core.lifecycle.NodeRecords;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.lifecycle.SteadyLinks;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.ClusterRoutes;
import io.heddle.core.node.NodeResources;
import io.heddle.core.node.operation.NodeReport;
import io.heddle.core.node.operation.NodeReports;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.operator.rule.RuleAnnouncer;
import io.heddle.core.operator.rule.RuleReplica;
import io.heddle.core.watchdog.Watchdog;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.kafka.nodes.KafkaNodeLog;
import io.heddle.persistence.kafka.nodes.KafkaProducerFencing;
import io.heddle.persistence.kafka.read.PollLoop;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes this node into the cluster once the stores are open, and out of it before they are closed. In between, the {@link #bucketHolding}
 * takes buckets. Started and stopped by one thread at a time; any thread may use it.
 */
final class ClusterStartup implements StartupPhase {
    private final HeddleSettings settings;
    private final Stores stores;
    private final BooleanSupplier isAlone;
    private final NodeEnd end;
    private final SteadyClock clock;
    private final ClusterLinks links;
    private final NodeResources node;
    private final RuleReplica rules;
    private final EventLoopThreads eventLoops;
    private final ClusterRole role;
    private volatile @Nullable Started started;
    private volatile @Nullable BucketHolding holding;
    private volatile Runnable refuseAppends = () -> {};
    // Guarded by this.
    private boolean linksAreOpen;
    private long linkedNext;

    private record Started(
            KafkaNodeLog log,
            Membership membership,
            RoutingLease lease,
            NodeRecords records,
            ClusterRoutes routes,
            NodeQuestions questions,
            ClusterEntry entry) {}

    /** @param isAlone whether no other process can use the stores */
    ClusterStartup(
            HeddleSettings settings,
            Stores stores,
            BooleanSupplier isAlone,
            NodeEnd end,
            ClusterLinks links,
            NodeResources node,
            RuleReplica rules,
            EventLoopThreads eventLoops) {
        this.settings = settings;
        this.stores = stores;
        this.isAlone = isAlone;
        this.end = end;
        this.clock = node.clock();
        this.links = links;
        this.node = node;
        this.rules = rules;
        this.eventLoops = eventLoops;
        this.role = new ClusterRole(node.metrics());
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
                : new RoutingLease(membershipSettings.routingLease(), System::nanoTime, node.metrics());
        KafkaNodeLog log = KafkaNodeLog.open(stores.kafka(), settings.node().id(), node.metrics());
        boolean complete = false;
        try {
            Membership membership = new Membership(
                    log,
                    membershipSettings,
                    View.atBeginning(0, settings.buckets().count()),
                    processes,
                    lease,
                    System::nanoTime,
                    this::onOver,
                    node.metrics());
            ClusterRoutes routes = routes(lease);
            membership.onRecord((view, _) -> routes.onView(view));
            NodeQuestions questions = questions();
            questions.answer(QuestionKind.DRAIN, (_, _) -> {
                end.inOrder().run();
                return new byte[0];
            });
            membership.onRecord((view, _) -> questions.onView(view));
            membership.onRecord((_, record) -> rules.onRecord(record));
            membership.observeLinks(links.links()::silentNanos);
            NodeRecords records = new NodeRecords(log, membership);
            links.links().watch(new DeathNotice(membership, lease, membershipSettings.lease()));
            membership.onRecord((view, _) -> onView(view));
            WatchedThreads threads = stores.kafka().threads();
            eventLoops.all().forEach(threads::add);
            ClusterEntry entry = new ClusterEntry(
                    membership,
                    membershipSettings,
                    new Watchdog(threads, membershipSettings.stuckHeartbeats(PollLoop.LONGEST_TURN), node.metrics()),
                    clock::millis,
                    new SecureRandom());
            started = new Started(log, membership, lease, records, routes, questions, entry);
            entry.start();
            questions.onJoined(membership.incarnation(), membership.view());
            routes.onJoined(membership.incarnation(), membership.view());
            complete = true;
        } finally {
            if (!complete) {
                started = null;
                log.close();
            }
        }
    }

    private ClusterRoutes routes(RoutingLease lease) {
        return new ClusterRoutes(
                settings.buckets().count(), eventLoops.all(), links.links(), lease, node, System::nanoTime);
    }

    private NodeQuestions questions() {
        return new NodeQuestions(
                links.links(),
                eventLoops.all().getFirst(),
                task -> Thread.ofVirtual().name("heddle-question").start(task),
                node.metrics());
    }

    /** Returns the questions of administrators to the members. After the start. */
    NodeQuestions nodeQuestions() {
        return started().questions();
    }

    /** Returns what announces changed rules to all nodes. After the start. */
    RuleAnnouncer ruleAnnouncer() {
        Started current = started();
        return (version, text) -> current.log()
                .append(new NodeRecord.RulesChanged(current.membership().incarnation(), version, text));
    }

    /** Returns the members and the holders of the buckets as this node knows them. After the start. */
    View view() {
        return started().membership().view();
    }

    /** A view is passed on once, and in the order of the views. */
    private synchronized void onView(View view) {
        if (linksAreOpen && view.next() > linkedNext) {
            linkedNext = view.next();
            links.onView(view);
        }
    }

    /** Connects this node with the others: all receivers of frames are set. */
    synchronized void openLinks() {
        linksAreOpen = true;
        onView(started().membership().view());
    }

    /** Returns the ways to the other nodes. */
    ClusterRoutes routes() {
        return started().routes();
    }

    /** Returns what takes and releases the buckets of this node one by one. */
    BucketHolding holding(BrokerCore core) {
        Started joined = started();
        BucketHolding created = core.holding(
                joined.membership(),
                joined.records(),
                new KafkaProducerFencing(stores.kafka()),
                clock::millis,
                System::nanoTime);
        holding = created;
        return created;
    }

    /** Returns what waits until this node has links to all serving nodes. After {@link #openLinks}. */
    SteadyLinks steadyLinks() {
        return new SteadyLinks(started().membership(), links.links(), System::nanoTime);
    }

    /** Returns the phase that announces that this node serves, and takes and releases its buckets. */
    StartupPhase bucketHolding(BucketHolding holding) {
        role.onTaking();
        return new BucketHoldingThread(
                started().membership(), holding, stores.kafka().threads());
    }

    /** Returns this node as the drain sees it. */
    Drain.Cluster drainingMember() {
        return new DrainingMember(this::membership, record -> started().log().append(record), role, this::nodeReports);
    }

    /** Returns the membership of this node; null before the start and after the stop. */
    @Nullable
    Membership membership() {
        Started current = started;
        return current == null ? null : current.membership();
    }

    /** Returns whether this node joined before all other members. It does what one node of the cluster does for all. */
    boolean isFirst() {
        Membership current = membership();
        if (current == null) {
            return false;
        }
        Iterator<Member> members = current.view().members().iterator();
        return members.hasNext() && current.isSelf(members.next().incarnation());
    }

    /** Returns what the nodes report to each other; null before the start and after the stop. */
    @Nullable
    NodeReports nodeReports() {
        Started current = started;
        return current == null ? null : current.routes().nodeReports();
    }

    /** Returns whether this node has taken and released the buckets that it must. */
    boolean isSettled() {
        BucketHolding current = holding;
        return current != null && current.isSettled();
    }

    /** Returns the role of this node, which is also the phase in which it begins to serve. */
    ClusterRole role() {
        return role;
    }

    /**
     * Returns the members of the cluster; none before the start and after the stop.
     *
     * @param own the report of this node; null if it is not needed
     */
    List<ClusterNode> members(@Nullable NodeReport own) {
        Started current = started;
        if (current == null) {
            return List.of();
        }
        Membership membership = current.membership();
        View view = membership.view();
        NodeReports reports = nodeReports();
        return view.members().stream()
                .map(each -> membership.isSelf(each.incarnation())
                        ? ClusterNode.self(each, view, role.role(), own)
                        : ClusterNode.other(
                                each, view, links.links(), reports == null ? null : reports.of(each.incarnation())))
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

    /** @throws IllegalStateException unless started or starting */
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

    /**
     * This node cannot follow the logs of the cluster any further, and so is over.
     *
     * @param reason one clause for the operator
     */
    void end(String reason) {
        started().membership().end(reason);
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
            stopped.entry().stop();
            stopped.log().close();
        }
    }
}
