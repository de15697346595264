package io.heddle.core.session;

import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.BucketHolding;
import io.heddle.core.lifecycle.NodeRecords;
import io.heddle.core.lifecycle.StorePorts;
import io.heddle.core.link.NoLinks;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.node.ClusterRoutes;
import io.heddle.core.node.NodeResources;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.SessionHousekeeping;
import io.heddle.core.session.registrar.SessionRegistrar;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.InMemoryProducerFencing;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All of core on two event loops that the test drives, over stores in memory. The clock is that of the first loop. The bucket log is
 * applied whenever the loops run.
 */
public final class TestNode extends TestParts {
    public static final Duration PATIENCE = Duration.ofSeconds(2);
    public static final QueueLimits QUEUE = new QueueLimits(4, 10_000, QueueLimits.Overflow.DROP_OLDEST);
    /** 4 in flight, 3 subscriptions, 2 topic aliases, 5 sessions, 1 hour of expiry. */
    public static final SessionSettings SETTINGS = new SessionSettings(
            65_536,
            8,
            new TopicRules(List.of("$aws")),
            3,
            5,
            3_600,
            3_600,
            0,
            100,
            4,
            2,
            QUEUE,
            1_000,
            20_000,
            PATIENCE);

    public static final SubscriptionLimits SUBSCRIPTION_LIMITS = new SubscriptionLimits(5, 5, 0, 10);
    public static final RetainedLimits RETAINED_LIMITS = new RetainedLimits(1_000, 1_000_000, 100_000, 0);

    private static final Duration NAP = Duration.ofMillis(5);

    /** After this time without requests no timer waits that gathers reports for other nodes. */
    public static final Duration REPORTED = Duration.ofMillis(200);

    public final TestStores stores;
    public static final Duration LEASE = Duration.ofSeconds(5);
    public static final LagBounds LAG = new LagBounds(Duration.ofMillis(50), 10_000);

    /** The clock of {@link #lease}, which tests advance to end it. */
    public long leaseNanos;

    public final RoutingLease lease = new RoutingLease(LEASE, () -> leaseNanos, metrics);
    public final BucketPositions positions;
    public final InMemoryMessageLog log;

    public final InMemoryDeviceQueues queues;
    private final SessionSettings settings;
    private final long memoryLimitBytes;
    public final PersistentSessions persistent;
    public final BucketWriter writer;
    public final RollbackDetector watch;
    public final Wills wills;
    public final SessionHousekeeping housekeeping;
    public final LocalSessions sessions;
    public final SessionRegistrar registrar;
    private final BucketPump pump;
    public final ConnectService connectService;
    public final MessageAdministration administration;

    public TestNode() {
        this(SETTINGS, 1_000_000);
    }

    public TestNode(SessionSettings settings, long memoryLimitBytes) {
        this(settings, memoryLimitBytes, new TestStores());
    }

    /** A node over stores that earlier nodes may have filled, from which it restores its state. */
    public TestNode(SessionSettings settings, long memoryLimitBytes, TestStores stores) {
        this(settings, memoryLimitBytes, stores, SUBSCRIPTION_LIMITS, RETAINED_LIMITS, ALONE, null);
    }

    /** A node that traces messages. */
    TestNode(SessionSettings settings, Tracing tracing) {
        this(settings, 1_000_000, new TestStores(), SUBSCRIPTION_LIMITS, RETAINED_LIMITS, ALONE, tracing);
    }

    /** A node with other ways to the other nodes than those of a cluster of one, whose metrics are not those of the node. */
    public TestNode(SessionSettings settings, TestStores stores, Ways ways) {
        this(settings, 1_000_000, stores, SUBSCRIPTION_LIMITS, RETAINED_LIMITS, ways, null);
    }

    private static final Ways ALONE = (_, _, alone) -> alone;

    /** Chooses the ways of a node to the others. */
    @FunctionalInterface
    public interface Ways {
        /** @param alone the ways of a node that is the only one of its cluster */
        NodeRoutes of(List<EventLoop> loops, NodeResources resources, NodeRoutes alone);
    }

    private TestNode(
            SessionSettings settings,
            long memoryLimitBytes,
            TestStores stores,
            SubscriptionLimits subscriptionLimits,
            RetainedLimits retainedLimits,
            Ways ways,
            @Nullable Tracing tracing) {
        super(
                InstantSource.fixed(Instant.ofEpochMilli(stores.startedMillis())),
                subscriptionLimits,
                retainedLimits,
                memoryLimitBytes);
        this.stores = stores;
        lease.renew(leaseNanos);
        stores.clock(clock::millis);
        positions = new BucketPositions(TestStores.BUCKETS, LAG, clock, metrics);
        log = new InMemoryMessageLog(
                stores.bucketLog, positions, stores.applicationLogs, stores.retainedLog, stores.clientLog);
        queues = stores.queues;
        this.settings = settings;
        this.memoryLimitBytes = memoryLimitBytes;
        NodeResources resources = resources(tracing, metrics);
        InMemoryNodeLog nodeLog = stores.nodeLog();
        MembershipSettings membershipSettings = new MembershipSettings(
                new NodeDescription(new NodeId("node"), "", "", NodeDescription.FORMATS, 3),
                true,
                LEASE.multipliedBy(2),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        Membership membership = membership(nodeLog.node(), membershipSettings, TestStores.BUCKETS, lost -> {
            throw new AssertionError(lost);
        });
        NodeRecords records = new NodeRecords(nodeLog.node(), membership);
        List<EventLoop> loops = List.of(loop, otherLoop);
        ClusterRoutes routes = new ClusterRoutes(
                TestStores.BUCKETS,
                loops,
                new NoLinks(),
                lease,
                resources(tracing, ways.equals(ALONE) ? metrics : new SimpleMeterRegistry()),
                () -> leaseNanos);
        membership.onRecord((view, _) -> routes.onView(view));
        join(membership, 0);
        routes.onJoined(membership.incarnation(), membership.view());
        pump = new BucketPump(stores.bucketLog, TestStores.BUCKETS);
        BrokerCore core = new BrokerCore(
                coreSettings(membership, TestStores.BUCKETS, settings),
                resources,
                loops,
                positions,
                lease,
                new StorePorts(
                        routes.committing(stores.clientLog),
                        stores.retainedLog,
                        stores.progressLog,
                        log,
                        pump,
                        stores.applicationLogs,
                        queues,
                        stores.registry),
                lost -> {
                    throw new AssertionError(lost);
                },
                ways.of(loops, resources, routes.routes()));
        registrar = core.registrar();
        persistent = core.persistentSessions();
        watch = core.rollbackDetector();
        writer = core.bucketWriter();
        wills = core.wills();
        housekeeping = core.housekeeping();
        sessions = core.sessions();
        connectService = core.connectService();
        administration = core.messageAdministration();
        core.replica().onSessionsApplied(routes.followed());
        core.replica().follow();
        pump.start(writer);
        BucketHolding holding =
                core.holding(membership, records, new InMemoryProducerFencing(), clock::millis, loop::nanoTime);
        await(routes.enter());
        await(core.replica().readToEnds());
        await(routes.whenInStep());
        core.warnOfExceededLimits();
        serve(nodeLog, membership, holding);
        runAll();
    }

    private void await(CompletionStage<Void> stage) {
        while (!stage.toCompletableFuture().isDone()) {
            if (loop.runTasks() + otherLoop.runTasks() == 0) {
                throw new AssertionError("no event loop has work, but the node still waits");
            }
        }
        stage.toCompletableFuture().join();
    }

    /** Takes all buckets and applies their logs to their ends. */
    private void serve(InMemoryNodeLog nodeLog, Membership membership, BucketHolding holding) {
        nodeLog.node().append(new NodeRecord.Serving(membership.incarnation()));
        for (int idle = 0; !holding.isSettled() || idle == 0; ) {
            holding.advance();
            idle = loop.runTasks() + otherLoop.runTasks() + pump.apply() == 0 ? idle + 1 : 0;
            if (idle > 10) {
                throw new AssertionError("nothing is left to do, but the node does not hold its buckets");
            }
        }
    }

    /** Kills this node and starts another one over the same stores, at the same time of day. */
    public TestNode restarted() {
        return new TestNode(settings, memoryLimitBytes, stores);
    }

    /** Kills this node and starts another one with other limits over the same stores, at the same time of day. */
    public TestNode restarted(
            long newMemoryLimitBytes, SubscriptionLimits subscriptionLimits, RetainedLimits retainedLimits) {
        return new TestNode(settings, newMemoryLimitBytes, stores, subscriptionLimits, retainedLimits, ALONE, null);
    }

    /** Stops applying the bucket log, or applies everything appended meanwhile and continues. */
    public void applying(boolean apply) {
        pump.applying(apply);
        runAll();
    }

    /** A client after its CONNECT is answered, unless the answer needs more than both loops. */
    public TestClient connect(ManualEventLoop on, ConnectPacket packet) {
        TestClient client = begin(on, packet);
        runAll();
        return client;
    }

    /** A client that has sent CONNECT, before any event loop has run a task. */
    public TestClient begin(ManualEventLoop on, ConnectPacket packet) {
        RecordingConnection connection = new RecordingConnection(on);
        List<AuthExchange> exchanges = new ArrayList<>();
        List<ClientConnection> established = new ArrayList<>();
        connectService.connect(connection, packet, exchanges::add, established::add);
        return new TestClient(connection, exchanges, established, this::runAll);
    }

    public TestClient connect(ConnectPacket packet) {
        return connect(loop, packet);
    }

    /** A client of MQTT 5.0 whose session ends with its connection. */
    public TestClient connect(String clientId) {
        return connect(new Connect(clientId).packet());
    }

    /** Advances the clock and runs all resulting tasks. */
    public void advance(Duration duration) {
        loop.advance(duration);
        otherLoop.advance(duration);
        runAll();
    }

    /** Returns what a call returns that blocks a thread of its own until the loops have worked. Their clocks follow the real one. */
    public <T> T whileRunning(Supplier<T> call) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(call);
        long before = System.nanoTime();
        while (!result.isDone()) {
            long now = System.nanoTime();
            advance(Duration.ofNanos(now - before));
            before = now;
            Thread.onSpinWait();
        }
        return result.join();
    }

    /** Runs both loops until they are idle. */
    public void runAll() {
        int ran;
        do {
            housekeeping.run(10);
            ran = loop.runTasks() + otherLoop.runTasks() + pump.apply() + nap();
        } while (ran > 0);
    }

    /** Lets time pass if the writer waits for a client. */
    private int nap() {
        if (!pump.isApplying() || writer.pendingAnswers() > 0 || writer.maximumWaitMillis() >= NAP.toMillis()) {
            return 0;
        }
        loop.advance(NAP);
        otherLoop.advance(NAP);
        return 1;
    }

    /** The charge for a connected client's session without its contents. */
    public static long connectedBytes(String clientId) {
        return 512 + 2L * clientId.length();
    }

    /** The charge for a connected client whose session ends with its connection, without its contents. */
    public static long transientBytes(String clientId) {
        return connectedBytes(clientId) + 160 + 2L * clientId.length();
    }

    /** The charge for a persistent session without its contents. */
    public static long persistentBytes(String clientId) {
        return 512 + 2L * clientId.length();
    }
}
