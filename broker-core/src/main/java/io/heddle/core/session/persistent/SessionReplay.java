package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores all persistent sessions and their subscriptions from their log. Runs on the thread that starts the node, before any client is
 * connected. A subscription is matched with its session when the whole log was read: compaction keeps the last record of each key, and that
 * of a session may come after those of its subscriptions.
 */
public final class SessionReplay {
    private static final Logger log = LoggerFactory.getLogger(SessionReplay.class);

    private final ClientLog clientLog;
    private final PersistentSessions sessions;
    private final SubscriptionTrie trie;
    private final Map<ClientId, SessionRecord> records = new LinkedHashMap<>();
    private final Map<RouteKey, Route> routes = new LinkedHashMap<>();

    /** Replays this log once into these sessions and this trie. */
    public SessionReplay(ClientLog clientLog, PersistentSessions sessions, SubscriptionTrie trie) {
        this.clientLog = clientLog;
        this.sessions = sessions;
        this.trie = trie;
    }

    /**
     * Replays the log to its end.
     *
     * @throws io.heddle.core.StoreUnavailableException when it can't be read
     */
    public void run() {
        clientLog.replay(this::change, this::progress);
        records.forEach(sessions::restore);
        int subscriptions = 0;
        for (Route route : routes.values()) {
            subscriptions += subscribe(route) ? 1 : 0;
        }
        sessions.applications().restore(generationsOfApplications(records));
        log.info("Restored persistent sessions: sessions={}, subscriptions={}", records.size(), subscriptions);
    }

    private void change(ClientChange change) {
        switch (change) {
            case ClientChange.OfSession(ClientId clientId, SessionRecord record) -> {
                if (record != null) {
                    sessions.epochs().onSeen(record.epoch());
                }
                put(records, clientId, record);
            }
            case ClientChange.OfRoute(RouteKey key, Route route) -> put(routes, key, route);
            case ClientChange.OfEpoch(long highest) -> sessions.epochs().onSeen(highest);
        }
    }

    private static Map<ClientId, Long> generationsOfApplications(Map<ClientId, SessionRecord> records) {
        Map<ClientId, Long> generations = new HashMap<>();
        records.forEach((clientId, record) -> {
            if (record.type() == ClientType.APPLICATION) {
                generations.put(clientId, record.generation());
            }
        });
        return generations;
    }

    private static <K, V> void put(Map<K, V> known, K key, @Nullable V value) {
        if (value == null) {
            known.remove(key);
        } else {
            known.put(key, value);
        }
    }

    private void progress(long records, long of) {
        log.info("Replaying sessions and subscriptions: records={} of {}", records, of);
    }

    private boolean subscribe(Route route) {
        PersistentSession session = sessions.find(route.clientId());
        if (session == null || session.generation() != route.generation()) {
            // The session has ended, and its node died before it removed the route.
            sessions.routes().forgetEnded(route.key());
            return false;
        }
        Subscription subscription = trie.shared(
                session.subscriber(),
                new Subscription(
                        TopicFilter.parse(route.topicFilter(), Integer.MAX_VALUE),
                        route.qos(),
                        route.noLocal(),
                        route.retainAsPublished(),
                        route.subscriptionIdentifier()));
        trie.apply(session.subscriber(), subscription);
        sessions.subscribed(session, subscription);
        return true;
    }
}
