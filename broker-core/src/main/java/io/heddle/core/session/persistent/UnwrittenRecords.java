package io.heddle.core.session.persistent;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions whose latest record, or end, could not be appended, for example because too many appends are queued. A restart would then
 * restore a discarded will or an ended session, so the housekeeping repeats the append. Thread-safe. Bound: one entry for each session.
 */
final class UnwrittenRecords {
    private static final Logger log = LoggerFactory.getLogger(UnwrittenRecords.class);

    private final ConcurrentHashMap<ClientId, PersistentSession> all;
    private final ChangeLog<ClientId, SessionRecord> sessionLog;
    private final SessionCleanup cleanup;
    private final Set<PersistentSession> sessions = ConcurrentHashMap.newKeySet();

    /** @param all sessions that have not ended; a session begins and ends while this map's entry of its client is locked */
    UnwrittenRecords(
            ConcurrentHashMap<ClientId, PersistentSession> all,
            ChangeLog<ClientId, SessionRecord> sessionLog,
            SessionCleanup cleanup) {
        this.all = all;
        this.sessionLog = sessionLog;
        this.cleanup = cleanup;
    }

    /** Remembers a session if this append of its record fails; returns the append. */
    CompletionStage<Void> watch(PersistentSession session, CompletionStage<Void> append) {
        append.whenComplete((_, failure) -> {
            if (failure != null) {
                sessions.add(session);
            }
        });
        return append;
    }

    /**
     * Appends the end of a session, and removes its queue and its log when the end is durable; a failed append is repeated. Only while the
     * map entry of its client is locked.
     */
    CompletionStage<Void> appendEnd(PersistentSession session) {
        CompletionStage<Void> appended = append(session);
        appended.whenComplete((_, failure) -> {
            if (failure != null) {
                FailureLog.warn(
                        log,
                        "Could not append the end of a session to heddle.sessions; the append is retried: clientId="
                                + session.clientId(),
                        failure);
            }
        });
        return appended;
    }

    private CompletionStage<Void> append(PersistentSession session) {
        session.stored().end();
        return watch(session, sessionLog.append(session.clientId(), null).thenRun(() -> cleanup.onEnded(session)));
    }

    /** Takes up to this number of sessions and appends their records again. */
    void retry(int maximum, Consumer<PersistentSession> write) {
        Iterator<PersistentSession> due = sessions.iterator();
        for (int i = 0; i < maximum && due.hasNext(); i++) {
            PersistentSession session = due.next();
            due.remove();
            all.compute(session.clientId(), (_, present) -> {
                if (present == null) {
                    var _ = append(session);
                } else if (present.equals(session)) {
                    write.accept(session);
                } else {
                    // The record of the client's next session ends this one.
                    var _ = watch(session, present.stored().write(sessionLog).thenRun(() -> cleanup.onEnded(session)));
                }
                return present;
            });
        }
    }
}
