package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.heddle.core.testkit.InMemoryClientLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@link PersistentSessions} with logs, a store and an event loop that the test controls. */
abstract class PersistentSessionsFixture {
    static final long NOW = 1_800_000_000_000L;
    static final long FOREVER = 0xFFFF_FFFFL;
    static final ClientId PUMP = new ClientId("pump-1");

    final ManualEventLoop loop = new ManualEventLoop(0);
    final SubscriptionTrie trie = new SubscriptionTrie();
    final InMemoryClientLog clientLog = new InMemoryClientLog();
    final InMemoryClientLog.Part sessionLog = clientLog.sessions;
    final InMemoryClientLog.Part routeLog = clientLog.routes;
    final InMemoryDeviceQueues store = new InMemoryDeviceQueues();
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final MemoryBudget memory = new MemoryBudget(Long.MAX_VALUE, metrics);
    final PersistentSessions sessions = sessions();

    /** The sessions of a node that holds all buckets. */
    PersistentSessions sessions() {
        PersistentSessions created = new PersistentSessions(
                new Buckets(16),
                new BucketLoops(List.of(loop)),
                "node-1-a",
                trie,
                clientLog,
                store,
                new ApplicationSessions(
                        new InMemoryApplicationLogs(), new InMemoryChangeLog<>(), RoutingLease.unlimited(), metrics),
                memory,
                1_000,
                new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), loop::nanoTime),
                new ClientEvents(),
                metrics);
        created.held().all().forEach(created.held()::hold);
        return created;
    }

    CompletionStage<PersistentSession> begin(ClientId clientId, long expirySeconds, long epoch) {
        return sessions.begin(clientId, ClientType.DEVICE, "user", null, expirySeconds, "node-1-a", epoch, null);
    }

    PersistentSession begun(ClientId clientId, long expirySeconds, long epoch) {
        return answer(begin(clientId, expirySeconds, epoch));
    }

    PersistentSession gone(String clientId, long expirySeconds) {
        PersistentSession session = begun(new ClientId(clientId), expirySeconds, 42);
        sessions.disconnected(session, expirySeconds, null);
        return session;
    }

    List<PersistentSession> endExpired(int maximum) {
        List<PersistentSession> ended = new ArrayList<>();
        sessions.endExpired(maximum, session -> {
            ended.add(session);
            var _ = sessions.end(session);
        });
        loop.runTasks();
        return ended;
    }

    void subscribe(PersistentSession session, String filter) {
        Subscription subscription = new Subscription(TopicFilter.parse(filter, 8), QoS.AT_LEAST_ONCE, false, false, 0);
        trie.put(session.subscriber(), subscription);
        sessions.charges().subscribe(session, subscription);
        answer(sessions.routes().commit(session, Map.of(filter, subscription)));
    }

    Map<String, SessionRecord> records() {
        Map<String, SessionRecord> known = new TreeMap<>();
        for (ClientChange change : clientLog.changes()) {
            if (change instanceof ClientChange.OfSession(ClientId clientId, SessionRecord record)) {
                change(known, clientId.value(), record);
            }
        }
        return known;
    }

    Map<String, Route> routes() {
        Map<String, Route> known = new TreeMap<>();
        for (ClientChange change : clientLog.changes()) {
            if (change instanceof ClientChange.OfRoute(RouteKey key, Route route)) {
                change(known, text(key), route);
            }
        }
        return known;
    }

    static String text(RouteKey key) {
        return key.clientId().value() + " " + key.topicFilter();
    }

    private static <V> void change(Map<String, V> known, String key, @Nullable V value) {
        if (value == null) {
            known.remove(key);
        } else {
            known.put(key, value);
        }
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Returns whether the store knows this connection of a session, which it began. */
    boolean isRegistered(ClientId clientId, long epoch) {
        return answer(store.page(sessions.bucket(clientId), clientId, epoch, epoch, 1, 1, 1))
                .isOwned();
    }
}
