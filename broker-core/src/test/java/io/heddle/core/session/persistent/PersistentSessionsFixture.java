package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.ChangeLog;
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
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** {@link PersistentSessions} with logs, a store and an event loop that the test controls. */
abstract class PersistentSessionsFixture {
    static final long NOW = 1_800_000_000_000L;
    static final long FOREVER = 0xFFFF_FFFFL;
    static final ClientId PUMP = new ClientId("pump-1");

    final ManualEventLoop loop = new ManualEventLoop(0);
    final SubscriptionTrie trie = new SubscriptionTrie();
    final InMemoryChangeLog<ClientId, SessionRecord> sessionLog = new InMemoryChangeLog<>();
    final InMemoryChangeLog<RouteKey, Route> routeLog = new InMemoryChangeLog<>();
    final InMemoryDeviceQueues store = new InMemoryDeviceQueues();
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final MemoryBudget memory = new MemoryBudget(Long.MAX_VALUE, metrics);
    final PersistentSessions sessions = sessions();

    PersistentSessions sessions() {
        return new PersistentSessions(
                new Buckets(16),
                "node-1-a",
                trie,
                sessionLog,
                routeLog,
                store,
                new ApplicationSessions(new InMemoryApplicationLogs(), new InMemoryChangeLog<>(), metrics),
                memory,
                1_000,
                new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), loop::nanoTime),
                metrics);
    }

    CompletionStage<PersistentSession> begin(ClientId clientId, long expirySeconds, long epoch) {
        return sessions.begin(clientId, ClientType.DEVICE, "user", null, expirySeconds, epoch, null);
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
        return sessions.endExpired(maximum, sessions::end);
    }

    void subscribe(PersistentSession session, String filter) {
        Subscription subscription = new Subscription(TopicFilter.parse(filter, 8), QoS.AT_LEAST_ONCE, false, false, 0);
        trie.put(session.subscriber(), subscription);
        sessions.subscribed(session, subscription);
        answer(sessions.routes().remember(session, subscription));
    }

    Map<String, SessionRecord> records() {
        Map<String, SessionRecord> known = new TreeMap<>();
        replay(
                sessionLog,
                (clientId, record) -> known.put(clientId.value(), record),
                clientId -> known.remove(clientId.value()));
        return known;
    }

    Map<String, Route> routes() {
        Map<String, Route> known = new TreeMap<>();
        replay(routeLog, (key, route) -> known.put(text(key), route), key -> known.remove(text(key)));
        return known;
    }

    static String text(RouteKey key) {
        return key.clientId().value() + " " + key.topicFilter();
    }

    static <K, V> void replay(ChangeLog<K, V> log, BiConsumer<K, V> known, Consumer<K> forgotten) {
        log.replay(
                (key, value) -> {
                    if (value == null) {
                        forgotten.accept(key);
                    } else {
                        known.accept(key, value);
                    }
                },
                (_, _) -> {});
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
