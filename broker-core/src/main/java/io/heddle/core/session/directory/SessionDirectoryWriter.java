package io.heddle.core.session.directory;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.session.persistent.DirtySessions;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the persistent sessions to the directory, asynchronously: all changes of a session since its latest write become one row. Owned by
 * a housekeeping thread of its own; {@link DirtySessions} collects the changes.
 *
 * <p>States: reconciling (it compares all sessions with the directory) → following (it writes changed sessions); when the changes exceed
 * their bound while the directory is down, it reconciles again.
 *
 * <p>Bounds: {@value #BATCH} sessions and about {@value #BATCH_CHARS} characters in one call, a session being {@link
 * SessionEntry#MAXIMUM_FILTER_CHARS} at most.
 */
public final class SessionDirectoryWriter {
    private static final Logger log = LoggerFactory.getLogger(SessionDirectoryWriter.class);

    private static final int BATCH = 500;
    private static final long BATCH_CHARS = 1 << 21;

    /** Between these steps changes are written and a stop takes effect. */
    private static final int STEPS_AT_ONCE = 20;

    private final PersistentSessions sessions;
    private final DirtySessions changed;
    private final SessionDirectory directory;
    private final Counter written;
    private final Counter removed;
    private final Counter unavailable;
    private final Counter rejected;
    private @Nullable DirectoryReconciliation comparison;
    // The holdings of buckets that the last comparison includes; below 0 before the first one.
    private long compared = -1;
    private boolean failing;
    private boolean rejectionLogged;

    /** An entry with the session that it was made of. */
    private record Snapshot(PersistentSession session, SessionEntry entry) {}

    /** Writes these sessions, which are restored from their logs. Starts with the first run. */
    public SessionDirectoryWriter(PersistentSessions sessions, SessionDirectory directory, MeterRegistry metrics) {
        this.sessions = sessions;
        this.changed = sessions.dirty();
        this.directory = directory;
        this.written = metrics.counter("heddle.sessions.directory.written");
        this.removed = metrics.counter("heddle.sessions.directory.removed");
        this.unavailable = metrics.counter("heddle.sessions.directory.failures", "reason", "unavailable");
        this.rejected = metrics.counter("heddle.sessions.directory.failures", "reason", "rejected");
        metrics.gauge("heddle.sessions.directory.pending", changed, DirtySessions::size);
    }

    /** Writes the changes so far and continues a reconciliation. Returns early when its thread is interrupted. */
    public void run() {
        rejectionLogged = false;
        try {
            writeChanged();
            compare();
        } catch (StoreUnavailableException failure) {
            unavailable.increment();
            if (!failing) {
                failing = true;
                log.warn("Cannot update table client_session; it lags behind (clients are unaffected)", failure);
            }
            return;
        }
        // The failed write is still pending, so it was tried again.
        if (failing) {
            failing = false;
            log.info("Table client_session is updated again");
        }
    }

    /** Skips sessions that change during the run: a session that changes all the time is written once in a run. */
    private void writeChanged() {
        for (int left = changed.size(); left > 0 && isRunning(); left -= BATCH) {
            Map<ClientId, Long> taken = changed.take(Math.min(left, BATCH));
            boolean done = false;
            try {
                write(taken);
                done = true;
            } finally {
                if (!done) {
                    taken.forEach(changed::add);
                }
            }
        }
    }

    private static boolean isRunning() {
        return !Thread.currentThread().isInterrupted();
    }

    private void compare() {
        long holdings = sessions.held().holdings();
        // A dead node may not have written the last changes of the buckets that this node has taken.
        if (comparison == null && (changed.takeTooMany() || holdings != compared)) {
            compared = holdings;
            comparison = new DirectoryReconciliation(sessions, directory);
        }
        for (int steps = 0; steps < STEPS_AT_ONCE && comparison != null && isRunning(); steps++) {
            Map<ClientId, Long> compared = comparison.step();
            if (compared == null) {
                comparison = null;
            } else {
                // Sessions that could not be written stay marked as changed.
                compared.forEach(changed::add);
                writeChanged();
            }
        }
    }

    /** Writes the sessions as they are now. */
    private void write(Map<ClientId, Long> epochs) {
        List<Snapshot> snapshots = new ArrayList<>();
        Map<ClientId, Long> gone = new HashMap<>();
        long chars = 0;
        for (Map.Entry<ClientId, Long> each : epochs.entrySet()) {
            PersistentSession session = sessions.find(each.getKey());
            if (session == null) {
                gone.put(each.getKey(), each.getValue());
                continue;
            }
            SessionEntry entry = SessionEntry.of(session);
            if (entry.fingerprint() == session.storedFingerprint()) {
                continue;
            }
            snapshots.add(new Snapshot(session, entry));
            chars += entry.length();
            if (chars >= BATCH_CHARS) {
                put(snapshots);
                snapshots.clear();
                chars = 0;
            }
        }
        put(snapshots);
        if (!gone.isEmpty()) {
            removed.increment(directory.remove(gone));
        }
    }

    private void put(List<Snapshot> snapshots) {
        if (snapshots.isEmpty()) {
            return;
        }
        for (Snapshot snapshot : snapshots) {
            // Unknown until the directory has answered.
            snapshot.session.storedFingerprint(PersistentSession.NOT_STORED);
        }
        try {
            directory.put(snapshots.stream().map(Snapshot::entry).toList());
        } catch (StoreUnavailableException failure) {
            throw failure;
        } catch (RuntimeException rejection) {
            // A rejected entry must not keep the others from being stored.
            if (snapshots.size() > 1) {
                snapshots.forEach(snapshot -> put(List.of(snapshot)));
            } else {
                rejected(snapshots.getFirst().entry(), rejection);
            }
            return;
        }
        written.increment(snapshots.size());
        for (Snapshot snapshot : snapshots) {
            snapshot.session.storedFingerprint(snapshot.entry.fingerprint());
        }
    }

    /** The entry is not retried before its session changes. */
    private void rejected(SessionEntry entry, RuntimeException rejection) {
        rejected.increment();
        if (!rejectionLogged) {
            rejectionLogged = true;
            log.warn(
                    "Table client_session rejected a row; the session is missing from the table: clientId={}",
                    entry.clientId(),
                    rejection);
        }
    }
}
