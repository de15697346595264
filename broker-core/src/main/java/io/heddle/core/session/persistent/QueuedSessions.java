package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.bucket.QueueSessions.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The persistent sessions as the writer of the queues sees them, with their connections to this node. Thread-safe.
 *
 * <p>A queue without a session is only a suspicion: the writer may lag behind, or belong to a node that no longer decides about the client.
 * The queue is removed when a record that this node has written after the suspicion is durable;
 * meanwhile, further suspicions about the same session are ignored.
 */
public final class QueuedSessions {
    private static final Logger log = LoggerFactory.getLogger(QueuedSessions.class);
    private static final CompletionStage<Boolean> IS_KNOWN = CompletableFuture.completedStage(false);

    private final ConcurrentHashMap<ClientId, PersistentSession> sessions;
    private final SessionReRegistration connected;
    private final SessionCleanup cleanup;
    private final ClientLog clientLog;
    private final HeldBuckets held;
    private final Set<EndedSession> unconfirmed = ConcurrentHashMap.newKeySet();

    private record EndedSession(ClientId clientId, long generation) {}

    /** @param sessions all of them, as they begin and end */
    QueuedSessions(
            ConcurrentHashMap<ClientId, PersistentSession> sessions,
            SessionReRegistration connected,
            SessionCleanup cleanup,
            ClientLog clientLog,
            HeldBuckets held) {
        this.sessions = sessions;
        this.connected = connected;
        this.cleanup = cleanup;
        this.clientLog = clientLog;
        this.held = held;
    }

    /** Returns the connection to this node that reads a session's queue, or null when there is none. */
    public @Nullable Reader reader(ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        return session != null && session.generation() == generation ? session.reader() : null;
    }

    /** See {@link QueueSessions#hasEnded}. */
    public boolean hasEnded(ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        // An unknown session has ended: a message finds its recipients among the known ones.
        return session == null || session.generation() > generation;
    }

    /** See {@link QueueSessions#removeQueue}. */
    public void removeQueue(int bucket, ClientId clientId, long generation) {
        EndedSession ended = new EndedSession(clientId, generation);
        // The holder of the bucket decides. The next message for the session detects the queue again.
        if (!held.tryBegin(bucket)) {
            return;
        }
        if (!unconfirmed.add(ended)) {
            held.end(bucket);
            return;
        }
        AtomicReference<CompletionStage<Boolean>> confirmed = new AtomicReference<>(IS_KNOWN);
        sessions.compute(clientId, (_, session) -> {
            if (session == null) {
                confirmed.setPlain(clientLog
                        .commit(bucket, List.of(new ClientChange.OfSession(clientId, null)))
                        .thenApply(_ -> true));
            } else if (session.generation() > generation) {
                confirmed.setPlain(session.stored().write(clientLog).thenApply(_ -> true));
            }
            return session;
        });
        confirmed.getPlain().whenComplete((hasEnded, failure) -> {
            unconfirmed.remove(ended);
            held.end(bucket);
            if (failure != null) {
                // The next message for the session detects the queue again.
                log.debug("Could not confirm the end of a session; its queue stays: clientId={}", clientId, failure);
            } else if (hasEnded) {
                cleanup.forgetQueue(bucket, clientId, generation);
            }
        });
    }

    /** Does what {@link QueueSessions#reRegisterSessions} does for the connections to this node. */
    public Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> rolledBack) {
        return connected.registerAgain(rolledBack, sessions.values());
    }

    /** Does what {@link QueueSessions#endFeeds} does for the connections to this node. */
    public CompletionStage<Void> endFeeds(int bucket, long viewId, long completeFrom) {
        List<CompletableFuture<Void>> ended = new ArrayList<>();
        for (PersistentSession session : sessions.values()) {
            Reader reader = session.reader();
            if (reader != null && session.bucket() == bucket && session.generation() < completeFrom) {
                CompletableFuture<Void> one = new CompletableFuture<>();
                ended.add(one);
                reader.eventLoop().execute(() -> {
                    try {
                        reader.onSequencesReset(viewId);
                    } finally {
                        one.complete(null);
                    }
                });
            }
        }
        return CompletableFuture.allOf(ended.toArray(CompletableFuture<?>[]::new));
    }

    /** Does what {@link QueueSessions#reRegister} does if the session is connected to this node. */
    public void reRegister(int bucket, ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        if (session != null && session.generation() == generation) {
            connected.registerAgain(session);
        }
    }
}
