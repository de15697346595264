package io.heddle.core.session.persistent;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.HeldBuckets;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions whose latest record, or end, could not be committed, for example because too many commits are queued. A restart would then
 * restore a discarded will or an ended session, so the housekeeping repeats the commit. Thread-safe. Bound: one entry for each session.
 *
 * <p>With the end of a session the highest epoch is committed, unless the log has one that is not below the session's. The next session of
 * the client then has a higher generation even if the clock was set back and no record of the ended session is left. Otherwise the messages
 * of the ended session in the bucket log would replace the queue of the new one.
 */
final class UnwrittenRecords {
    private static final Logger log = LoggerFactory.getLogger(UnwrittenRecords.class);

    private final ConcurrentHashMap<ClientId, PersistentSession> all;
    private final ClientLog clientLog;
    private final HeldBuckets held;
    private final SessionCleanup cleanup;
    private final Epochs epochs;
    /** The epoch of each bucket in the log; absent before the first end of a session of the bucket. */
    private final ConcurrentHashMap<Integer, Long> loggedEpochs = new ConcurrentHashMap<>();

    private final Set<PersistentSession> sessions = ConcurrentHashMap.newKeySet();

    /** @param all sessions that have not ended; a session begins and ends while this map's entry of its client is locked */
    UnwrittenRecords(
            ConcurrentHashMap<ClientId, PersistentSession> all,
            ClientLog clientLog,
            HeldBuckets held,
            SessionCleanup cleanup,
            Epochs epochs) {
        this.all = all;
        this.clientLog = clientLog;
        this.held = held;
        this.cleanup = cleanup;
        this.epochs = epochs;
    }

    /** Remembers a session if this commit of its record fails; returns the commit. */
    CompletionStage<Void> watch(PersistentSession session, CompletionStage<Void> commit) {
        held.begin(session.bucket());
        commit.whenComplete((_, failure) -> {
            // A session that waits for its next commit is work in progress.
            if (failure == null || !sessions.add(session)) {
                held.end(session.bucket());
            }
        });
        return commit;
    }

    /**
     * Commits the end of a session, and removes its queue and its log afterwards; a failed commit is repeated. Only while the map entry of
     * its client is locked.
     */
    CompletionStage<Void> commitEnd(PersistentSession session) {
        CompletionStage<Void> committed = commit(session);
        committed.whenComplete((_, failure) -> {
            if (failure != null) {
                FailureLog.warn(
                        log,
                        "Could not commit the end of a session to heddle.clients; the commit is retried: clientId="
                                + session.clientId(),
                        failure);
            }
        });
        return committed;
    }

    private CompletionStage<Void> commit(PersistentSession session) {
        session.stored().end();
        int bucket = session.bucket();
        long epoch = epochs.highest();
        ClientChange end = new ClientChange.OfSession(session.clientId(), null);
        boolean isEpochLogged =
                loggedEpochs.getOrDefault(bucket, 0L) >= session.record().epoch();
        List<ClientChange> changes = isEpochLogged ? List.of(end) : List.of(end, new ClientChange.OfEpoch(epoch));
        return watch(session, clientLog.commit(bucket, changes).thenRun(() -> {
            if (!isEpochLogged) {
                loggedEpochs.merge(bucket, epoch, Math::max);
            }
            cleanup.onEnded(session);
        }));
    }

    /** Takes up to this number of sessions and commits their records again. */
    void retry(int maximum, Consumer<PersistentSession> write) {
        Iterator<PersistentSession> due = sessions.iterator();
        for (int i = 0; i < maximum && due.hasNext(); i++) {
            PersistentSession session = due.next();
            due.remove();
            all.compute(session.clientId(), (_, present) -> {
                if (present == null) {
                    var _ = commit(session);
                } else if (present.equals(session)) {
                    write.accept(session);
                } else {
                    // The record of the client's next session ends this one.
                    var _ = watch(session, present.stored().write(clientLog).thenRun(() -> cleanup.onEnded(session)));
                }
                return present;
            });
            held.end(session.bucket());
        }
    }
}
