package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscriptions of persistent sessions in the log {@code heddle.clients}. Thread-safe.
 *
 * <p>The routes of ended sessions are removed in steps, so that mass removals leave room for other changes. Bounds: the bytes of removals
 * in flight, and of removals that wait for the housekeeping. A removal that finds no room stays in the log: the next start skips the route
 * and removes it ({@link BucketReplica}).
 */
public final class StoredRoutes {
    private static final Logger log = LoggerFactory.getLogger(StoredRoutes.class);

    private static final long MAXIMUM_REMOVED_BYTES = 128 << 10;
    private static final long MAXIMUM_WAITING_BYTES = 4 << 20;
    private static final long RECORD_BYTES = 256;

    private final ClientLog clientLog;
    private final Buckets buckets;
    private final HeldBuckets held;
    private final ConcurrentHashMap<ClientId, PersistentSession> sessions;
    // Of ended sessions.
    private final Queue<RouteKey> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong removedBytes = new AtomicLong();

    /** @param sessions that have not ended; a session begins and ends while this map's entry of its client is locked */
    StoredRoutes(
            ClientLog clientLog,
            Buckets buckets,
            HeldBuckets held,
            ConcurrentHashMap<ClientId, PersistentSession> sessions) {
        this.clientLog = clientLog;
        this.buckets = buckets;
        this.held = held;
        this.sessions = sessions;
    }

    /**
     * Commits changed subscriptions of a session, all or none; completes when the changes survive this node.
     *
     * @param changed by the text of the filter, at least one; null for a removed subscription
     */
    public CompletionStage<Void> commit(PersistentSession session, Map<String, @Nullable Subscription> changed) {
        List<ClientChange> changes = new ArrayList<>(changed.size());
        for (Map.Entry<String, @Nullable Subscription> change : changed.entrySet()) {
            Subscription subscription = change.getValue();
            changes.add(new ClientChange.OfRoute(
                    new RouteKey(session.clientId(), change.getKey()),
                    subscription == null ? null : route(session, subscription)));
        }
        return held.track(session.bucket(), clientLog.commit(session.bucket(), changes))
                .thenAccept(_ -> {});
    }

    static Route route(PersistentSession session, Subscription subscription) {
        return new Route(
                session.clientId(),
                subscription.topicFilter().value(),
                session.generation(),
                subscription.terms().maximumQos(),
                subscription.noLocal(),
                subscription.terms().retainAsPublished(),
                subscription.identifier());
    }

    /**
     * Removes a subscription of an ended session, now or later. Only while the map entry of the client is locked, or while this node takes
     * the bucket.
     */
    void forgetEnded(RouteKey key) {
        if (waiting.isEmpty() && removedBytes.get() < MAXIMUM_REMOVED_BYTES) {
            removeEnded(key);
        } else if (hasRoom(MAXIMUM_WAITING_BYTES)) {
            waitingBytes.addAndGet(bytes(key));
            waiting.add(key);
        } else {
            log.debug("Route of an ended session stays in heddle.clients until the next start: {}", key);
        }
    }

    /** Returns whether there is room for the routes of further sessions that end. */
    public boolean hasRoomForEnded() {
        return hasRoom(MAXIMUM_WAITING_BYTES / 4);
    }

    private boolean hasRoom(long limit) {
        return waitingBytes.get() < limit;
    }

    /** Removes up to this number of waiting routes. On the housekeeping thread. */
    public void forgetWaiting(int maximum) {
        for (int i = 0; i < maximum && removedBytes.get() < MAXIMUM_REMOVED_BYTES; i++) {
            RouteKey key = waiting.poll();
            if (key == null) {
                return;
            }
            waitingBytes.addAndGet(-bytes(key));
            int bucket = buckets.of(key.clientId());
            // The next holder of a released bucket removes the route.
            if (held.tryBegin(bucket)) {
                sessions.compute(key.clientId(), (_, present) -> {
                    // The client's next session may have the same filter.
                    if (present == null) {
                        removeEnded(key);
                    }
                    return present;
                });
                held.end(bucket);
            }
        }
    }

    private void removeEnded(RouteKey key) {
        long bytes = bytes(key);
        removedBytes.addAndGet(bytes);
        ClientChange removal = new ClientChange.OfRoute(key, null);
        int bucket = buckets.of(key.clientId());
        held.track(bucket, clientLog.commit(bucket, List.of(removal))).whenComplete((_, failure) -> {
            removedBytes.addAndGet(-bytes);
            if (failure != null) {
                log.debug("Route of an ended session stays in heddle.clients until the next start: {}", key, failure);
            }
        });
    }

    private static long bytes(RouteKey key) {
        return RECORD_BYTES
                + key.clientId().value().length()
                + key.topicFilter().length();
    }
}
