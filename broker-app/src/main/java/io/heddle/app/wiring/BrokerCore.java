package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.bucket.BucketLogTruncation;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.Router;
import io.heddle.core.session.ConnectService;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionServices;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.directory.SessionDirectoryWriter;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionReplay;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;
import io.heddle.core.session.queue.SessionHousekeeping;
import io.heddle.core.session.subscribe.SubscribeService;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.persistence.kafka.log.KafkaLogs;
import io.heddle.persistence.redis.RedisBuckets;
import io.heddle.persistence.redis.RedisDeviceQueues;
import io.heddle.persistence.redis.RedisSessionRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session and message services of core, created once the stores are open. The start replays the sessions, routes and retained messages from their
 * logs, and applies the bucket logs from the positions in Redis to their ends. Started and stopped by one thread at a time; any thread may use it.
 */
final class BrokerCore implements StartupPhase {
    /** The next start publishes the wills again that are still in flight by then. */
    private static final Duration WILLS_ARRIVE_WITHIN = Duration.ofSeconds(1);

    private final HeddleSettings settings;
    private final Stores stores;
    private final EventLoopThreads eventLoops;
    private final Authentication authentication;
    private final SubscriptionTrie trie;
    private final RetainedMessages retained;
    private final MemoryBudget memory;
    private final StorageRoom storage;
    private final SteadyClock clock;
    private final SessionMetrics sessionMetrics;
    private final MeterRegistry metrics;
    private volatile @Nullable Running running;

    /** Components of a started broker. */
    private record Running(
            KafkaLogs logs,
            LocalSessions sessions,
            PersistentSessions persistent,
            Wills wills,
            ConnectService connectService,
            SessionHousekeeping housekeeping,
            BucketLogTruncation truncation,
            RollbackDetector rollbackDetector,
            SessionDirectoryWriter directoryWriter) {}

    BrokerCore(
            HeddleSettings settings,
            Stores stores,
            EventLoopThreads eventLoops,
            Authentication authentication,
            SubscriptionTrie trie,
            RetainedMessages retained,
            MemoryBudget memory,
            StorageRoom storage,
            SteadyClock clock,
            SessionMetrics sessionMetrics,
            MeterRegistry metrics) {
        this.settings = settings;
        this.stores = stores;
        this.eventLoops = eventLoops;
        this.authentication = authentication;
        this.trie = trie;
        this.retained = retained;
        this.memory = memory;
        this.storage = storage;
        this.clock = clock;
        this.sessionMetrics = sessionMetrics;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the replay of sessions, subscriptions and messages";
    }

    @Override
    public void start() {
        BucketPositions positions = new BucketPositions(
                settings.buckets().count(), settings.buckets().toLagBounds(), clock, metrics);
        KafkaLogs logs = KafkaLogs.open(
                stores.kafka(),
                settings.kafka().toProducerSettings(settings.node()),
                settings.applications().toLogSettings(),
                positions,
                metrics);
        boolean started = false;
        try {
            running = start(logs, positions);
            started = true;
        } finally {
            if (!started) {
                logs.close();
            }
        }
    }

    private Running start(KafkaLogs logs, BucketPositions positions) {
        SessionSettings limits = settings.mqtt().toSessionSettings(settings.session());
        RedisBuckets buckets =
                new RedisBuckets(stores.redis(), settings.buckets().count(), logs.bucketsTopicId(), metrics);
        DeviceQueues queues = new RedisDeviceQueues(buckets);
        RedisSessionRegistry registry = new RedisSessionRegistry(buckets);
        ApplicationSessions applications = new ApplicationSessions(logs.applications(), logs.progress(), metrics);
        PersistentSessions persistent = new PersistentSessions(
                new Buckets(settings.buckets().count()),
                UUID.randomUUID().toString(),
                trie,
                logs.sessions(),
                logs.routes(),
                registry,
                applications,
                memory,
                limits.maximumPersistentPerOwner(),
                clock,
                metrics);
        QueueBounds bounds = bounds(limits);
        RollbackDetector watch = new RollbackDetector(
                queues, positions, logs.buckets(), settings.buckets().count());
        PublishService publishService = new PublishService(
                retained,
                new Router(trie),
                new Dispatcher(
                        new DirectDelivery(
                                settings.mqtt().eventLoopThreads(),
                                settings.delivery()
                                        .handoverLimitBytes(settings.mqtt().eventLoopThreads()),
                                metrics),
                        logs.messages(),
                        positions,
                        metrics),
                logs.messages(),
                memory,
                storage,
                metrics);
        Wills wills = new Wills(persistent, publishService, clock, sessionMetrics);
        QueueRedelivery redelivery = new QueueRedelivery(
                persistent, trie, publishService, queues, registry, positions, watch, clock, sessionMetrics);
        SessionServices services = new SessionServices(
                new SubscribeService(
                        trie,
                        persistent,
                        memory,
                        settings.subscription().toAppendAdmission(metrics),
                        limits.maximumTopicLevels(),
                        limits.maximumSubscriptions(),
                        sessionMetrics),
                publishService,
                retained,
                logs.messages(),
                persistent,
                wills,
                redelivery,
                new SessionFeeds(
                        queues,
                        bounds,
                        logs.messages(),
                        registry,
                        positions,
                        watch,
                        applications,
                        eventLoops.all(),
                        settings.delivery().readAheadLimitBytes(),
                        settings.buckets().acknowledgementInterval(),
                        metrics),
                memory,
                clock,
                limits,
                sessionMetrics);
        new SessionReplay(logs.sessions(), logs.routes(), persistent, trie).run();
        replayRetained(logs);
        readBuckets(
                logs,
                positions,
                new BucketWriter(
                        queues,
                        persistent.queued(),
                        positions,
                        logs.messages(),
                        bounds,
                        settings.buckets().readAheadBytesOfABucket(),
                        clock,
                        metrics));
        persistent.serve();
        stores.redis().onReconnected(watch::onStoreReturned);
        LocalSessions sessions = new LocalSessions(services);
        return new Running(
                logs,
                sessions,
                persistent,
                wills,
                new ConnectService(authentication, sessions, services),
                new SessionHousekeeping(persistent, redelivery, wills),
                new BucketLogTruncation(
                        logs.buckets(),
                        positions,
                        settings.buckets().count(),
                        settings.buckets().toTruncationLimits(),
                        storage,
                        clock,
                        metrics),
                watch,
                new SessionDirectoryWriter(persistent, stores.sessionDirectory(), metrics));
    }

    private static QueueBounds bounds(SessionSettings limits) {
        return new QueueBounds(
                limits.queue().maximumMessages(),
                limits.queue().maximumBytes(),
                limits.queue().overflow() == QueueLimits.Overflow.DROP_OLDEST,
                limits.maximumInFlight());
    }

    private void replayRetained(KafkaLogs logs) {
        Map<TopicName, PublishMessage> last = new HashMap<>();
        logs.retained()
                .replay(
                        (topic, message) -> {
                            if (message == null) {
                                last.remove(topic);
                            } else {
                                last.put(topic, message);
                            }
                        },
                        (_, _) -> {});
        for (PublishMessage message : last.values()) {
            retained.restore(message);
        }
    }

    private void readBuckets(KafkaLogs logs, BucketPositions positions, BucketWriter writer) {
        logs.buckets().read(writer);
        BucketCatchUp catchUp = new BucketCatchUp(positions, writer::fault, writer::blockReason, System::nanoTime);
        catchUp.await(logs.buckets().ends(), settings.kafka().connectTimeout());
    }

    private Running running() {
        Running current = running;
        if (current == null) {
            throw new IllegalStateException("the broker is not running");
        }
        return current;
    }

    /** Only while started. */
    ConnectService connectService() {
        return running().connectService();
    }

    /** Returns the connected sessions, or null unless started. */
    @Nullable
    LocalSessions sessions() {
        Running current = running;
        return current == null ? null : current.sessions();
    }

    /** Returns the persistent sessions, or null unless started. */
    @Nullable
    PersistentSessions persistent() {
        Running current = running;
        return current == null ? null : current.persistent();
    }

    /** Ends expired sessions. */
    void endExpired(int maximum) {
        running().housekeeping().run(maximum);
    }

    /** Removes expired retained messages from memory and from their log. */
    void expireRetained(int maximumVisits) {
        var _ = retained.expireSome(maximumVisits, running().logs().retained());
    }

    /** Truncates the bucket logs and updates the state of the storage. */
    void truncateBuckets() {
        running().truncation().run();
    }

    /** Updates the table of sessions in PostgreSQL. */
    void writeDirectory() {
        running().directoryWriter().run();
    }

    /** Checks whether Redis has rolled back. Does not block. */
    void detectRollback() {
        running().rollbackDetector().checkIdleBuckets();
    }

    /** Waits until the wills of clients that the stop disconnected have arrived. */
    private static void awaitWills(Wills wills) {
        try {
            wills.awaitArrival(WILLS_ARRIVE_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        Running stopped = running;
        running = null;
        if (stopped != null) {
            awaitWills(stopped.wills());
            stopped.logs().buckets().stopReading();
            stopped.logs().close();
        }
    }
}
