package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.QueueSessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Presents the persistent sessions to the writer of the queues. Thread-safe, has no state of its own. */
final class QueuedSessions implements QueueSessions {
    private final Map<ClientId, PersistentSession> sessions;
    private final SessionReRegistration connected;
    private final SessionCleanup ends;

    /** @param sessions all of them, as they come and go */
    QueuedSessions(Map<ClientId, PersistentSession> sessions, SessionReRegistration connected, SessionCleanup ends) {
        this.sessions = sessions;
        this.connected = connected;
        this.ends = ends;
    }

    @Override
    public @Nullable Reader reader(ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        return session != null && session.generation() == generation ? session.reader() : null;
    }

    @Override
    public boolean hasEnded(ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        // An unknown session has ended: a message finds its recipients among the known ones.
        return session == null || session.generation() > generation;
    }

    @Override
    public void removeQueue(int bucket, ClientId clientId, long generation) {
        ends.forgetQueue(bucket, clientId, generation);
    }

    @Override
    public Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> rolledBack) {
        return connected.registerAgain(rolledBack, sessions.values());
    }

    @Override
    public CompletionStage<Void> endFeeds(int bucket, long completeFrom) {
        List<CompletableFuture<Void>> ended = new ArrayList<>();
        for (PersistentSession session : sessions.values()) {
            Reader reader = session.reader();
            if (reader != null && session.bucket() == bucket && session.generation() < completeFrom) {
                CompletableFuture<Void> one = new CompletableFuture<>();
                ended.add(one);
                reader.eventLoop().execute(() -> {
                    try {
                        reader.onSequencesReset();
                    } finally {
                        one.complete(null);
                    }
                });
            }
        }
        return CompletableFuture.allOf(ended.toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void reRegister(int bucket, ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        if (session != null && session.generation() == generation) {
            connected.registerAgain(session);
        }
    }
}
