package io.heddle.core.simulation;

import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.BucketHolding;
import io.heddle.core.lifecycle.NodeRecords;
import io.heddle.core.lifecycle.SteadyLinks;
import io.heddle.core.lifecycle.StorePorts;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.ClusterRoutes;
import io.heddle.core.node.NodeResources;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.simulation.client.SimConnection;
import io.heddle.core.simulation.kafka.SimFencing;
import io.heddle.core.simulation.kafka.SimKafkaClient;
import io.heddle.core.simulation.kafka.SimNodeLog;
import io.heddle.core.simulation.link.SimNodeLinks;
import io.heddle.core.simulation.redis.SimRedisClient;
import io.heddle.core.watchdog.Watchdog;
import io.heddle.core.watchdog.WatchedThreads;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One run of a broker process: the product's {@link BrokerCore} with its {@link ClusterRoutes}, wired in the
 * product's order. It joins at once when it is constructed; all else takes its time.
 */
public final class SimNode {
    static final int BUCKETS = 6;
    private static final int LOOPS = 2;
    static final Duration LEASE = Duration.ofMillis(800);
    private static final Duration HEARTBEAT = Duration.ofMillis(50);
    private static final long HOLDING_PAUSE_MICROS = 20_000;
    private static final long RETRY_MICROS = 200_000;
    /** Between two looks at the links, like the product's. */
    private static final long LOOK_MICROS = 100_000;

    private final World world;
    private final SimProcess process;
    private final int number;
    private final long startedNanos;
    private final List<SimLoop> loops = new ArrayList<>();
    private final SimConnections connections;
    private final SimNodeLinks links;
    private final SimNodeLog nodeLog;
    private final SteadyClock clock;
    private final Membership membership;
    private final Watchdog watchdog;
    private final NodeRecords records;
    private final ClusterRoutes routes;
    private final SimKafkaClient kafka;
    private final SimRedisClient redis;
    private final BrokerCore core;
    private final Ledger accounts;
    private final BucketHolding holding;
    private final SteadyLinks steadyLinks;
    private boolean linksAreOpen;
    private boolean serving;

    /**
     * @param number of its host and node id
     * @param life distinguishes its processes
     */
    SimNode(SimCluster cluster, int number, int life, long clockOffsetMillis) {
        this.world = cluster.world();
        this.number = number;
        this.startedNanos = world.nanoTime();
        this.process = new SimProcess(host() + "." + life);
        LongSupplier nanoTime = () -> process.nanoTime(world);
        for (int i = 0; i < LOOPS; i++) {
            loops.add(new SimLoop(world, process, i));
        }
        List<EventLoop> eventLoops = List.copyOf(loops);
        this.connections = new SimConnections(world, process, loops);
        this.links = cluster.links().open(process, host(), loops);
        this.nodeLog = new SimNodeLog(world, process, cluster.kafka());
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        this.clock = SimSettings.clock(world, clockOffsetMillis);
        NodeResources resources = SimSettings.resources(world, process, clock, metrics);
        this.accounts = resources.ledger();
        MembershipSettings settings = new MembershipSettings(
                new NodeDescription(
                        new NodeId(host()), "", process.toString(), NodeDescription.FORMATS, SimKafkaClient.IDS),
                false,
                LEASE,
                HEARTBEAT,
                Duration.ofSeconds(5));
        RoutingLease lease = new RoutingLease(
                world.has(Mistake.NO_ROUTING_LEASE) ? Duration.ofDays(1) : settings.routingLease(), nanoTime, metrics);
        this.membership = new Membership(
                nodeLog,
                settings,
                View.atBeginning(0, BUCKETS),
                cluster::hasEnded,
                lease,
                nanoTime,
                this::onOver,
                metrics);
        WatchedThreads threads = new WatchedThreads();
        eventLoops.forEach(threads::add);
        this.watchdog = new Watchdog(threads, settings.stuckHeartbeats(Duration.ZERO), metrics);
        this.routes = new ClusterRoutes(BUCKETS, eventLoops, links, lease, resources, nanoTime);
        membership.onRecord((view, _) -> routes.onView(view));
        membership.observeLinks(links::silentNanos);
        this.steadyLinks = new SteadyLinks(membership, links, nanoTime);
        this.records = new NodeRecords(nodeLog, membership);
        membership.onRecord((view, _) -> onView(view));
        join();
        Incarnation joined = membership.incarnation();
        links.joined(joined);
        routes.onJoined(joined, membership.view());
        this.kafka = new SimKafkaClient(world, process, cluster.kafka(), nodeLog, joined);
        this.redis = new SimRedisClient(world, process, cluster.redis());
        BucketPositions positions = SimSettings.positions(BUCKETS, clock, metrics);
        this.core = new BrokerCore(
                SimSettings.core(joined.toString(), BUCKETS),
                resources,
                eventLoops,
                positions,
                lease,
                new StorePorts(
                        routes.committing(kafka.clients()),
                        kafka.retained(),
                        kafka.progress(),
                        kafka.messages(positions),
                        kafka.buckets(),
                        kafka.applications(),
                        redis,
                        redis),
                lost -> {
                    throw new SimulationFailure(process + " has lost its replica: " + lost);
                },
                MistakenRoutes.of(world, joined, routes.routes()));
        this.holding = core.holding(
                membership, records, new SimFencing(world, process, cluster.kafka()), clock::millis, nanoTime);
    }

    private void join() {
        try {
            var _ = membership.join(world.random().nextInt());
        } catch (InterruptedException e) {
            throw new IllegalStateException("a simulated process was interrupted", e);
        }
        world.trace(() -> process + " joins as " + membership.incarnation());
        nodeLog.leaveStart(() -> !membership.isOver() && membership.view().isMember(me()), () -> onOver("fenced"));
    }

    int number() {
        return number;
    }

    /** The machine on which the process runs. */
    String host() {
        return "node-" + number;
    }

    long startedNanos() {
        return startedNanos;
    }

    Incarnation me() {
        return membership.incarnation();
    }

    // Start, in the product's order.

    void start() {
        beat();
        core.replica().onSessionsApplied(routes.followed());
        linksAreOpen = true;
        onView(membership.view());
        core.replica().follow();
        kafka.buckets().read(core.bucketWriter());
        when(kafka.prepare(), 1_000, () -> when(this::mayEnter, LOOK_MICROS, this::enter));
    }

    private void beat() {
        if (watchdog.areAllProgressing()) {
            membership.beat();
        }
        world.after(process, HEARTBEAT.toNanos() / 1_000, this::beat);
    }

    /** An earlier life of the node has ended, and no link is broken. */
    private boolean mayEnter() {
        return membership.view().elder(me(), new NodeId(host())) == null
                && (world.has(Mistake.SERVES_WITH_BROKEN_LINK) || steadyLinks.areSteady());
    }

    private void enter() {
        if (world.has(Mistake.NO_JOIN_BARRIER)) {
            takeShare();
            return;
        }
        complete(
                routes::enter,
                () -> complete(core.replica()::readToEnds, () -> complete(routes::whenInStep, this::takeShare)));
    }

    private void takeShare() {
        holding.onProgress(() -> world.after(process, world.random().nextLong(1, 300), holding::advance));
        redis.whenReturned(core::onQueuesReturned);
        every(HOLDING_PAUSE_MICROS, holding::advance);
        every(100_000, () -> core.housekeeping().run(100));
        complete(() -> nodeLog.append(new Serving(me())), () -> when(holding::isSettled, 1_000, this::serve));
    }

    private void serve() {
        every(1_000_000, () -> core.truncation().run());
        every(5_000_000, () -> core.rollbackDetector().checkIdleBuckets());
        serving = true;
        world.trace(() -> process + " serves");
    }

    private void when(BooleanSupplier condition, long pauseMicros, Runnable next) {
        if (condition.getAsBoolean()) {
            next.run();
        } else {
            world.after(process, pauseMicros, () -> when(condition, pauseMicros, next));
        }
    }

    /** Repeats a step until it succeeds. */
    private void complete(Supplier<? extends CompletionStage<?>> step, Runnable next) {
        var _ = step.get().whenComplete((_, failure) -> {
            if (failure == null) {
                world.after(process, 0, next);
            } else {
                world.trace(() -> process + " repeats a step of its start: " + failure);
                world.after(process, RETRY_MICROS, () -> complete(step, next));
            }
        });
    }

    private void every(long micros, Runnable task) {
        world.after(process, micros, () -> {
            task.run();
            every(micros, task);
        });
    }

    // The cluster.

    private void onView(View view) {
        if (!linksAreOpen) {
            return;
        }
        Set<Incarnation> others = new TreeSet<>();
        for (Member member : view.members()) {
            others.add(member.incarnation());
        }
        others.remove(me());
        links.onMembers(others);
    }

    private void onOver(String reason) {
        if (!process.isDead()) {
            world.trace(() -> process + " is over: " + reason);
            world.after(process, world.random().nextLong(5_000), this::kill);
        }
    }

    // For the clients and the faults.

    public SimProcess process() {
        return process;
    }

    /** Accepts a connection of a client. A frozen process does, too: its kernel answers. */
    public void accept(SimConnection connection) {
        connections.accept(connection, core.connectService());
    }

    List<SimLoop> loops() {
        return loops;
    }

    SimConnections connections() {
        return connections;
    }

    SimKafkaClient kafka() {
        return kafka;
    }

    /** Describes the persistent sessions in memory with their subscriptions, by client. */
    Map<String, String> sessions() {
        Map<String, String> sessions = new TreeMap<>();
        for (PersistentSession session : core.persistentSessions().all()) {
            sessions.put(
                    session.clientId().value(),
                    session.record() + " "
                            + new TreeSet<>(session.subscriptions().keySet()));
        }
        return sessions;
    }

    boolean isServing() {
        return serving && !process.isDead();
    }

    boolean isAlive() {
        return !process.isDead();
    }

    boolean isSettled() {
        return serving && holding.isSettled();
    }

    /** Forgets what was to kill it later. */
    void disarm() {
        connections.disarm();
        kafka.beforeNextCommitIsAnswered(null);
    }

    /** Kills the process; its clients notice. */
    void kill() {
        if (isAlive()) {
            process.kill();
            if (world.random().nextBoolean()) {
                links.loseFrames();
            }
            connections.onProcessKilled();
        }
    }

    @Override
    public String toString() {
        return process.toString();
    }

    /** At rest, what has entered an account has left it or is held. */
    void checkAccounts() {
        CompletableFuture<Map<Flow, Long>> counts = accounts.read().toCompletableFuture();
        world.run(100_000);
        for (Account account : Account.values()) {
            long difference = account.difference(counts.join());
            if (difference != 0 || counts.join().getOrDefault(Flow.UNANSWERED, 0L) != 0) {
                throw new SimulationFailure(process + " has lost track of " + difference + " copies of its "
                        + account.key() + ": " + counts.join());
            }
        }
    }
}
