package io.heddle.core.session;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.authentication.blocked.Flapping;
import io.heddle.core.authentication.fairness.ConnectRates;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.core.delivery.bucket.remote.PushRouting;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.CoreSettings;
import io.heddle.core.lifecycle.Replica;
import io.heddle.core.lifecycle.StorePorts;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.node.BucketListener;
import io.heddle.core.node.MessageRouting;
import io.heddle.core.node.NodeResources;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.OtherWriters;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.SessionHousekeeping;
import io.heddle.core.session.registrar.SessionRegistrar;
import io.heddle.core.session.registrar.remote.RegistrarRouting;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.SysReaders;
import io.heddle.core.sys.SysTopics;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.LogLines;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All of core on two event loops that the test drives, over stores in memory. The clock is that of the first loop. The bucket log is
 * applied whenever the loops run.
 */
public final class TestNode {
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

    /** Slightly more than ten changes. */
    private static final int ADMISSION_BYTES = 6_000;

    private static MessageRouting alone(List<EventLoop> loops, NodeResources resources) {
        return MessageRouting.OF_ONE_NODE;
    }

    public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    public final Ledger ledger = new Ledger(metrics);
    public final ManualEventLoop loop = new ManualEventLoop(0);
    public final ManualEventLoop otherLoop = new ManualEventLoop(1);
    public final SteadyClock clock;
    public final SubscriptionTrie trie;
    public final RetainedMessages retained;
    /** Readable by clients of this machine, as all clients are unless a test sets another address. */
    public final SysTopics sys;

    public final MemoryBudget memory;
    /** The free bytes of the disk; below 100, publishes that must be stored are refused. */
    public long freeBytes = StorageRoom.UNKNOWN;

    public final StorageRoom storage = new StorageRoom(10_000, 100, () -> freeBytes, metrics);
    public final AppendAdmission admission;

    public final TestStores stores;
    public static final Duration LEASE = Duration.ofSeconds(5);
    public static final LagBounds LAG = new LagBounds(Duration.ofMillis(50), 10_000);

    /** The clock of {@link #lease}, which tests advance to end it. */
    public long leaseNanos;

    public final RoutingLease lease = new RoutingLease(LEASE, () -> leaseNanos, metrics);
    public final BucketPositions positions;
    public final InMemoryMessageLog log;

    /** The lines about clients. */
    public final LogLines lines = new LogLines();

    public final ClientIncidents incidents;

    /** Connections of a client in a minute above which it is blocked for five. */
    public static final int FLAPPING_CONNECTIONS = 200;

    public final BlockedClients blocked;
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
    /** The steps of the enhanced method TEST, one object for all exchanges. */
    public EnhancedMethod.Exchange exchange = (_, _) -> {
        throw new AssertionError("no test has set the steps of the exchange");
    };

    /** Whether the listener has the method. */
    public boolean hasEnhancedMethod = true;

    public Authenticator authenticator =
            new AnonymousAuthenticator(new InMemoryCredentialsStore(), _ -> true, List.of());

    public TestNode() {
        this(SETTINGS, 1_000_000);
    }

    public TestNode(SessionSettings settings, long memoryLimitBytes) {
        this(settings, memoryLimitBytes, new TestStores());
    }

    /** A node over stores that earlier nodes may have filled, from which it restores its state. */
    public TestNode(SessionSettings settings, long memoryLimitBytes, TestStores stores) {
        this(settings, memoryLimitBytes, stores, RegistrarRouting.OF_ONE_NODE);
    }

    /** A node over stores that it shares with others. */
    TestNode(SessionSettings settings, long memoryLimitBytes, TestStores stores, RegistrarRouting routing) {
        this(settings, memoryLimitBytes, stores, SUBSCRIPTION_LIMITS, RETAINED_LIMITS, routing, TestNode::alone, null);
    }

    /** A node that traces messages. */
    TestNode(SessionSettings settings, Tracing tracing) {
        this(
                settings,
                1_000_000,
                new TestStores(),
                SUBSCRIPTION_LIMITS,
                RETAINED_LIMITS,
                RegistrarRouting.OF_ONE_NODE,
                TestNode::alone,
                tracing);
    }

    /**
     * A node that exchanges messages with others.
     *
     * @param messages creates the way to the other nodes from the event loops and the resources
     */
    public TestNode(TestStores stores, BiFunction<List<EventLoop>, NodeResources, MessageRouting> messages) {
        this(
                SETTINGS,
                1_000_000,
                stores,
                SUBSCRIPTION_LIMITS,
                RETAINED_LIMITS,
                RegistrarRouting.OF_ONE_NODE,
                messages,
                null);
    }

    private TestNode(
            SessionSettings settings,
            long memoryLimitBytes,
            TestStores stores,
            SubscriptionLimits subscriptionLimits,
            RetainedLimits retainedLimits,
            RegistrarRouting routing,
            BiFunction<List<EventLoop>, NodeResources, MessageRouting> messages,
            @Nullable Tracing tracing) {
        this.stores = stores;
        lease.renew(leaseNanos);
        Instant started = Instant.ofEpochMilli(stores.startedMillis());
        clock = new SteadyClock(() -> started, loop::nanoTime);
        stores.clock(clock::millis);
        blocked = new BlockedClients(
                new Flapping(
                        new Flapping.Limits(FLAPPING_CONNECTIONS, Duration.ofMinutes(1), Duration.ofMinutes(5)),
                        loop::nanoTime),
                clientId -> clientId.value().equals("exempt"),
                () -> Instant.ofEpochMilli(clock.millis()),
                metrics);
        positions = new BucketPositions(TestStores.BUCKETS, LAG, clock, metrics);
        log = new InMemoryMessageLog(
                stores.bucketLog, positions, stores.applicationLogs, stores.retainedLog, stores.clientLog);
        queues = stores.queues;
        this.settings = settings;
        this.memoryLimitBytes = memoryLimitBytes;
        trie = new SubscriptionTrie(subscriptionLimits);
        sys = new SysTopics(SysReaders.AUTHENTICATED, clock);
        retained = new RetainedMessages(retainedLimits, clock, metrics);
        memory = new MemoryBudget(memoryLimitBytes, metrics);
        admission = new AppendAdmission(ADMISSION_BYTES, ADMISSION_BYTES, 5_000, metrics);
        incidents = new ClientIncidents(lines.logger(), loop::nanoTime, metrics);
        EnhancedMethod method = EnhancedMethod.of("TEST", () -> (client, data) -> exchange.answer(client, data));
        Authentication authentication = new Authentication(
                _ -> new Authentication.Chain(
                        List.of(shown -> authenticator.authenticate(shown)),
                        hasEnhancedMethod ? List.of(method) : List.of()),
                Runnable::run,
                10,
                ConnectRates.unlimited(),
                new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), System::nanoTime),
                incidents,
                metrics);
        NodeResources resources = new NodeResources(
                trie,
                retained,
                memory,
                storage,
                admission,
                authentication,
                blocked,
                incidents,
                ledger,
                sys,
                clock,
                tracing,
                metrics);
        BrokerCore core = new BrokerCore(
                new CoreSettings(
                        stores.newIncarnation(),
                        TestStores.BUCKETS,
                        settings,
                        1 << 16,
                        1_000_000,
                        1 << 20,
                        Duration.ZERO,
                        new TruncationLimits(Duration.ofHours(1), Duration.ofSeconds(30))),
                resources,
                List.of(loop, otherLoop),
                positions,
                lease,
                new StorePorts(
                        stores.clientLog,
                        stores.retainedLog,
                        stores.progressLog,
                        log,
                        stores.bucketLog,
                        stores.applicationLogs,
                        queues,
                        stores.registry),
                lost -> {
                    throw new AssertionError(lost);
                },
                new NodeRoutes(
                        routing,
                        PushRouting.OF_ONE_NODE,
                        messages.apply(List.of(loop, otherLoop), resources),
                        () -> OtherWriters.PRESENT,
                        BucketListener.NONE));
        registrar = core.registrar();
        persistent = core.persistentSessions();
        watch = core.rollbackDetector();
        writer = core.bucketWriter();
        wills = core.wills();
        housekeeping = core.housekeeping();
        sessions = core.sessions();
        connectService = core.connectService();
        administration = core.messageAdministration();
        core.replica().follow();
        take(core.replica());
        pump = new BucketPump(writer, stores.bucketLog, List.of(loop, otherLoop));
        pump.start();
        core.serve();
        runAll();
    }

    private void take(Replica replica) {
        await(replica.readToEnds());
        await(replica.hold());
        replica.restoreApplications();
    }

    private void await(CompletionStage<Void> stage) {
        while (!stage.toCompletableFuture().isDone()) {
            if (loop.runTasks() + otherLoop.runTasks() == 0) {
                throw new AssertionError("no event loop has work, but the node still waits");
            }
        }
        stage.toCompletableFuture().join();
    }

    /** Kills this node and starts another one over the same stores, at the same time of day. */
    public TestNode restarted() {
        return new TestNode(settings, memoryLimitBytes, stores);
    }

    /** Kills this node and starts another one with other limits over the same stores, at the same time of day. */
    public TestNode restarted(
            long newMemoryLimitBytes, SubscriptionLimits subscriptionLimits, RetainedLimits retainedLimits) {
        return new TestNode(
                settings,
                newMemoryLimitBytes,
                stores,
                subscriptionLimits,
                retainedLimits,
                RegistrarRouting.OF_ONE_NODE,
                TestNode::alone,
                null);
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
            ran = loop.runTasks() + otherLoop.runTasks() + pump.apply();
        } while (ran > 0);
    }

    /** The charge for a connected client's session without its contents. */
    public static long connectedBytes(String clientId) {
        return 512 + 2L * clientId.length();
    }

    /** The charge for a persistent session without its contents. */
    public static long persistentBytes(String clientId) {
        return 512 + 2L * clientId.length();
    }

    public double count(String name, String... tags) {
        return metrics.get(name).tags(tags).meter().measure().iterator().next().getValue();
    }

    public double dropped(String reason) {
        return count("heddle.messages.dropped", "reason", reason);
    }

    public double gauge(String name) {
        return metrics.get(name).gauge().value();
    }
}
