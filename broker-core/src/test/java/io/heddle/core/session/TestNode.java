package io.heddle.core.session;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.SignInFailures;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.Router;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * All of core on two event loops that the test drives, with the time of the first, over stores in memory. The bucket log is applied
 * whenever the loops run.
 */
final class TestNode {
    static final Duration PATIENCE = Duration.ofSeconds(2);
    static final QueueLimits QUEUE = new QueueLimits(4, 10_000, QueueLimits.Overflow.DROP_OLDEST);
    /** 4 in flight, 3 subscriptions, 2 topic aliases, 5 sessions, 1 hour of expiry. */
    static final SessionSettings SETTINGS =
            new SessionSettings(65_536, 8, 3, 5, 3_600, 0, 100, 4, 2, QUEUE, 1_000, 20_000, PATIENCE);

    /** A little more than ten changes. */
    private static final int ADMISSION_BYTES = 6_000;

    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final ManualEventLoop loop = new ManualEventLoop(0);
    final ManualEventLoop otherLoop = new ManualEventLoop(1);
    final SteadyClock clock;
    final SubscriptionTrie trie = new SubscriptionTrie(new SubscriptionLimits(5, 5, 0, 10));
    final RetainedMessages retained;
    final MemoryBudget memory;
    /** Of the disk; publications that must be stored are refused below 100. */
    long freeBytes = StorageRoom.UNKNOWN;

    final StorageRoom storage = new StorageRoom(10_000, 100, () -> freeBytes, metrics);
    final AppendAdmission admission;

    final TestStores stores;
    private static final Duration NAP = Duration.ofMillis(5);
    static final LagBounds LAG = new LagBounds(Duration.ofMillis(50), 10_000);

    final BucketPositions positions;
    final InMemoryMessageLog log;
    final InMemoryDeviceQueues queues;
    private final SessionSettings settings;
    private final long memoryLimitBytes;
    final PersistentSessions persistent;
    final BucketWriter writer;
    final RollbackDetector watch;
    final Wills wills;
    final SessionHousekeeping housekeeping;
    final LocalSessions sessions;
    private final long[] applied = new long[TestStores.BUCKETS];
    private boolean applying = true;
    final ConnectService connectService;
    Authenticator authenticator = new AnonymousAuthenticator(new InMemoryCredentialsStore(), () -> true, List.of());

    TestNode() {
        this(SETTINGS, 1_000_000);
    }

    TestNode(SessionSettings settings, long memoryLimitBytes) {
        this(settings, memoryLimitBytes, new TestStores());
    }

    /** A node over stores that earlier nodes may have filled: it knows what they left. */
    TestNode(SessionSettings settings, long memoryLimitBytes, TestStores stores) {
        this.stores = stores;
        Instant started = Instant.ofEpochMilli(stores.startedMillis());
        clock = new SteadyClock(() -> started, loop::nanoTime);
        stores.clock(clock::millis);
        positions = new BucketPositions(TestStores.BUCKETS, LAG, clock, metrics);
        log = new InMemoryMessageLog(stores.bucketLog, positions, stores.applicationLogs);
        ApplicationSessions applications = new ApplicationSessions(stores.applicationLogs, stores.progressLog, metrics);
        queues = stores.queues;
        this.settings = settings;
        this.memoryLimitBytes = memoryLimitBytes;
        SessionMetrics sessionMetrics = new SessionMetrics(metrics);
        retained = new RetainedMessages(new RetainedLimits(1_000, 1_000_000, 100_000, 0), clock, metrics);
        memory = new MemoryBudget(memoryLimitBytes, metrics);
        admission = new AppendAdmission(ADMISSION_BYTES, ADMISSION_BYTES, 5_000, metrics);
        persistent = new PersistentSessions(
                new Buckets(TestStores.BUCKETS),
                stores.newIncarnation(),
                trie,
                stores.sessionLog,
                stores.routeLog,
                stores.registry,
                applications,
                memory,
                settings.maximumPersistentPerOwner(),
                clock,
                metrics);
        QueueBounds bounds = new QueueBounds(
                settings.queue().maximumMessages(),
                settings.queue().maximumBytes(),
                settings.queue().overflow() == QueueLimits.Overflow.DROP_OLDEST,
                settings.maximumInFlight());
        watch = new RollbackDetector(queues, positions, stores.bucketLog, TestStores.BUCKETS);
        writer = new BucketWriter(queues, persistent.queued(), positions, log, bounds, 1 << 20, clock, metrics);
        PublishService publishService = new PublishService(
                retained,
                new Router(trie),
                new Dispatcher(new DirectDelivery(2, 1 << 16, metrics), log, positions, metrics),
                log,
                memory,
                storage,
                metrics);
        wills = new Wills(persistent, publishService, clock, sessionMetrics);
        SessionServices services = new SessionServices(
                new SubscribeService(trie, retained, persistent, memory, admission, settings, sessionMetrics),
                publishService,
                log,
                persistent,
                wills,
                new QueueRedelivery(
                        persistent,
                        trie,
                        publishService,
                        queues,
                        stores.registry,
                        positions,
                        watch,
                        clock,
                        sessionMetrics),
                new SessionFeeds(
                        queues,
                        bounds,
                        log,
                        stores.registry,
                        positions,
                        watch,
                        applications,
                        List.of(loop, otherLoop),
                        1_000_000,
                        Duration.ZERO,
                        metrics),
                memory,
                clock,
                settings,
                sessionMetrics);
        housekeeping = new SessionHousekeeping(services);
        sessions = new LocalSessions(services);
        Authentication authentication = new Authentication(
                List.of(shown -> authenticator.authenticate(shown)),
                Runnable::run,
                10,
                new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), System::nanoTime),
                metrics);
        connectService = new ConnectService(authentication, sessions, services);
        new SessionReplay(stores.sessionLog, stores.routeLog, persistent, trie).run();
        persistent.serve();
        writer.start(Runnable::run);
        writer.advance();
        takeSeeks();
        runAll();
    }

    /** This node is killed: another one starts over the same stores, at this time of day. */
    TestNode restarted() {
        return new TestNode(settings, memoryLimitBytes, stores);
    }

    /** From here on the bucket log is not applied, or is again: then all that was appended meanwhile. */
    void applying(boolean apply) {
        applying = apply;
        runAll();
    }

    /** A client that has sent CONNECT and was answered, if both loops have run what that needs. */
    TestClient connect(ManualEventLoop on, ConnectPacket packet) {
        TestClient client = begin(on, packet);
        runAll();
        return client;
    }

    /** A client that has sent CONNECT, before any event loop has run a task. */
    TestClient begin(ManualEventLoop on, ConnectPacket packet) {
        RecordingConnection connection = new RecordingConnection(on);
        List<ClientConnection> established = new ArrayList<>();
        connectService.connect(connection, packet, established::add);
        return new TestClient(connection, established, this::runAll);
    }

    TestClient connect(ConnectPacket packet) {
        return connect(loop, packet);
    }

    /** A client of MQTT 5.0 whose session ends with its connection. */
    TestClient connect(String clientId) {
        return connect(new Connect(clientId).packet());
    }

    /** Lets time pass, and all that follows. */
    void advance(Duration duration) {
        loop.advance(duration);
        runAll();
    }

    /** Lets both loops run until neither has anything to do. */
    void runAll() {
        int ran;
        do {
            housekeeping.run(10);
            ran = loop.runTasks() + otherLoop.runTasks() + applyBucketLog();
        } while (ran > 0);
    }

    /** Applies what was appended and is not applied yet; returns how many batches. */
    private int applyBucketLog() {
        int batches = 0;
        if (!applying) {
            return batches;
        }
        Set<Integer> doubted = stores.bucketLog.takeDoubted();
        writer.rewind(doubted);
        batches += doubted.size();
        writer.advance();
        takeSeeks();
        for (int bucket = 0; bucket < applied.length; bucket++) {
            BucketBatch batch = writer.canRead(bucket) ? stores.bucketLog.readAfter(bucket, applied[bucket]) : null;
            if (batch != null) {
                writer.onCommands(bucket, batch.commands(), InMemoryBucketLog.WRITTEN_MILLIS);
                applied[bucket] = batch.lastOffset();
                batches++;
            }
        }
        writer.advance();
        writer.sendPushes();
        if (writer.pendingAnswers() == 0 && writer.maximumWaitMillis() < NAP.toMillis()) {
            // A client is waited for.
            loop.advance(NAP);
            batches++;
        }
        return batches;
    }

    private void takeSeeks() {
        writer.takeSeeks().forEach((bucket, offset) -> applied[bucket] = offset);
    }

    /** What a connected client's session is charged for, without what it holds. */
    static long connectedBytes(String clientId) {
        return 512 + 2L * clientId.length();
    }

    /** The same for what outlives its connections. */
    static long persistentBytes(String clientId) {
        return 512 + 2L * clientId.length();
    }

    double count(String name, String... tags) {
        return metrics.get(name).tags(tags).counter().count();
    }

    double dropped(String reason) {
        return count("heddle.messages.dropped", "reason", reason);
    }

    double gauge(String name) {
        return metrics.get(name).gauge().value();
    }
}
