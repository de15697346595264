package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions and subscriptions of one bucket, as this node reads them from the log. Writes nothing. Confined to the event loop that owns
 * the bucket.
 *
 * <p>States: loading (the log is read for the first time) → followed (another node decides about the clients) → held (this node does: its
 * memory is ahead of the log, and the echo of its own commits is ignored) → followed, from the offset behind this node's last commit.
 *
 * <p>A route whose session is unknown, or has another generation, is unmatched. Its session may follow: compaction keeps the last record of
 * each key. The session may also have ended, if its node died before it removed the route. So unmatched routes are kept until their session
 * arrives; the node that takes the bucket removes the rest from the log. Bound: after loading, {@link #maximumUnmatchedBytes}. Further
 * routes are dropped from memory; the next start reads them again. If the session of a dropped route could still arrive, the replica is
 * lost.
 */
final class BucketReplica {
    private static final long ROUTE_BYTES = 256;

    private final PersistentSessions sessions;
    private final SubscriptionTrie trie;
    private final long maximumUnmatchedBytes;
    private final Map<ClientId, Map<String, Route>> unmatched = new HashMap<>();
    private long unmatchedBytes;
    private boolean hasDropped;
    private boolean isLoading = true;
    // The memory contains the changes below this offset.
    private long next;

    BucketReplica(PersistentSessions sessions, SubscriptionTrie trie, long maximumUnmatchedBytes) {
        this.sessions = sessions;
        this.trie = trie;
        this.maximumUnmatchedBytes = maximumUnmatchedBytes;
    }

    /** Applies the next change of the log, unless this node has made it. Returns false when the replica is lost. */
    boolean apply(long offset, ClientChange change) {
        if (offset < next) {
            return true;
        }
        switch (change) {
            case ClientChange.OfSession(ClientId clientId, SessionRecord record) -> {
                return applySession(clientId, record);
            }
            case ClientChange.OfRoute(RouteKey key, Route route) -> applyRoute(key, route);
            case ClientChange.OfEpoch(long highest) -> sessions.epochs().onSeen(highest);
        }
        return true;
    }

    private boolean applySession(ClientId clientId, @Nullable SessionRecord record) {
        PersistentSession known = sessions.find(clientId);
        if (record != null) {
            sessions.epochs().onSeen(record.epoch());
        }
        if (known != null && record != null && known.generation() == record.generation()) {
            var _ = known.change(record, trie);
            return true;
        }
        if (known != null) {
            end(known);
        }
        if (record == null) {
            return true;
        }
        PersistentSession session = sessions.restore(clientId, record);
        matchRoutes(session);
        // The first record of a session has its generation as epoch. No route precedes it.
        return !hasDropped || record.epoch() == record.generation();
    }

    private void end(PersistentSession session) {
        session.end();
        session.stored().end();
        sessions.charges().release(session);
        for (Subscription subscription : session.subscriptions().values()) {
            trie.remove(session.subscriber(), subscription.topicFilter());
            keepUnmatched(StoredRoutes.route(session, subscription));
        }
        session.subscriptions().clear();
        sessions.remove(session);
    }

    private void matchRoutes(PersistentSession session) {
        Map<String, Route> routes = unmatched.get(session.clientId());
        if (routes == null) {
            return;
        }
        for (Iterator<Route> all = routes.values().iterator(); all.hasNext(); ) {
            Route route = all.next();
            if (route.generation() == session.generation()) {
                all.remove();
                unmatchedBytes -= bytes(route);
                subscribe(session, route);
            }
        }
        if (routes.isEmpty()) {
            unmatched.remove(session.clientId());
        }
    }

    private void applyRoute(RouteKey key, @Nullable Route route) {
        forgetUnmatched(key);
        PersistentSession session = sessions.find(key.clientId());
        if (route == null) {
            if (session != null) {
                unsubscribe(session, key.topicFilter());
            }
        } else if (session != null && session.generation() == route.generation()) {
            subscribe(session, route);
        } else {
            keepUnmatched(route);
        }
    }

    private void subscribe(PersistentSession session, Route route) {
        Subscription subscription = trie.shared(
                session.subscriber(),
                new Subscription(
                        TopicFilter.parse(route.topicFilter(), Integer.MAX_VALUE),
                        route.qos(),
                        route.noLocal(),
                        route.retainAsPublished(),
                        route.subscriptionIdentifier()));
        if (!subscription.topicFilter().isShared() || !session.record().isEnding()) {
            trie.apply(session.subscriber(), subscription);
        }
        sessions.charges().subscribe(session, subscription);
    }

    private void unsubscribe(PersistentSession session, String filter) {
        Subscription removed = sessions.charges().unsubscribe(session, filter);
        if (removed != null) {
            trie.remove(session.subscriber(), removed.topicFilter());
        }
    }

    private void keepUnmatched(Route route) {
        if (!isLoading && unmatchedBytes + bytes(route) > maximumUnmatchedBytes) {
            hasDropped = true;
            return;
        }
        unmatchedBytes += bytes(route);
        unmatched.computeIfAbsent(route.clientId(), _ -> new HashMap<>(2)).put(route.topicFilter(), route);
    }

    private void forgetUnmatched(RouteKey key) {
        Map<String, Route> routes = unmatched.get(key.clientId());
        Route forgotten = routes == null ? null : routes.remove(key.topicFilter());
        if (routes == null || forgotten == null) {
            return;
        }
        unmatchedBytes -= bytes(forgotten);
        if (routes.isEmpty()) {
            unmatched.remove(key.clientId());
        }
    }

    private static long bytes(Route route) {
        return ROUTE_BYTES
                + route.clientId().value().length()
                + route.topicFilter().length();
    }

    /** The log is read to the end that it had at the start. From now on, unmatched routes are bounded. */
    void onLoaded() {
        if (!isLoading) {
            return;
        }
        isLoading = false;
        for (Iterator<Map<String, Route>> all = unmatched.values().iterator();
                unmatchedBytes > maximumUnmatchedBytes && all.hasNext(); ) {
            for (Route route : all.next().values()) {
                unmatchedBytes -= bytes(route);
            }
            all.remove();
            hasDropped = true;
        }
    }

    /** This node decides about the clients of the bucket from now on. Removes the routes of ended sessions from the log. */
    void hold() {
        next = Long.MAX_VALUE;
        for (Map<String, Route> routes : unmatched.values()) {
            for (Route route : routes.values()) {
                sessions.routes().forgetEnded(route.key());
            }
        }
        unmatched.clear();
        unmatchedBytes = 0;
    }

    /**
     * Another node decides about the clients from now on.
     *
     * @param end this node's own changes are below this offset, and those of the next holder are not
     */
    void release(long end) {
        next = end;
    }
}
