package io.heddle.core.session.directory;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.session.persistent.DirtySessions;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the persistent sessions to the directory, behind the clients' backs: whatever became of a session since the last time is
 * one row. Runs on a housekeeping thread of its own, to which everything here belongs; what changes is told to {@link
 * DirtySessions}. States: first it compares all that there is with what is stored, then it writes what changes; when more changes
 * than can be remembered while the directory does not answer, it compares again.
 *
 * <p>Bounds: {@value #BATCH} sessions and about {@value #BATCH_CHARS} characters in one call, a session being
 * {@link SessionEntry#MAXIMUM_FILTER_CHARS} at most.
 */
public final class SessionDirectoryWriter {
    private static final Logger log = LoggerFactory.getLogger(SessionDirectoryWriter.class);

    private static final int BATCH = 500;
    private static final long BATCH_CHARS = 1 << 21;

    /** Between them what changes is written, and a stop finds its turn. */
    private static final int STEPS_AT_ONCE = 20;

    private final PersistentSessions sessions;
    private final DirtySessions changed;
    private final SessionDirectory directory;
    private final Counter written;
    private final Counter removed;
    private final Counter unavailable;
    private final Counter refused;
    private @Nullable DirectoryReconciliation comparison;
    private boolean failing;
    private boolean refusalTold;

    /** What an entry was made of goes with it. */
    private record Picture(PersistentSession session, SessionEntry entry) {}

    /** For these sessions, all of which the logs have told. Begins with the first run. */
    public SessionDirectoryWriter(PersistentSessions sessions, SessionDirectory directory, MeterRegistry metrics) {
        this.sessions = sessions;
        this.changed = sessions.dirty();
        this.directory = directory;
        this.comparison = new DirectoryReconciliation(sessions, directory);
        this.written = metrics.counter("heddle.sessions.directory.written");
        this.removed = metrics.counter("heddle.sessions.directory.removed");
        this.unavailable = metrics.counter("heddle.sessions.directory.failures", "reason", "unavailable");
        this.refused = metrics.counter("heddle.sessions.directory.failures", "reason", "refused");
        metrics.gauge("heddle.sessions.directory.pending", changed, DirtySessions::size);
    }

    /** Writes what has changed so far, and goes on comparing. Ends early when its thread is interrupted. */
    public void run() {
        refusalTold = false;
        try {
            writeChanged();
            compare();
        } catch (StoreUnavailableException failure) {
            unavailable.increment();
            if (!failing) {
                failing = true;
                log.warn(
                        "The searchable picture of the sessions can't be written and falls behind; clients do not notice",
                        failure);
            }
            return;
        }
        // What failed is still there to be done, so that it has been tried again.
        if (failing) {
            failing = false;
            log.info("The searchable picture of the sessions is written again");
        }
    }

    /** Not those that come meanwhile: what changes all the time is written once in a run. */
    private void writeChanged() {
        for (int left = changed.size(); left > 0 && isRunning(); left -= BATCH) {
            Set<ClientId> taken = changed.take(Math.min(left, BATCH));
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
        if (comparison == null && changed.takeTooMany()) {
            comparison = new DirectoryReconciliation(sessions, directory);
        }
        for (int steps = 0; steps < STEPS_AT_ONCE && comparison != null && isRunning(); steps++) {
            Collection<ClientId> clientIds = comparison.step();
            if (clientIds == null) {
                comparison = null;
            } else {
                // Those that this fails to write are remembered like any that have changed.
                clientIds.forEach(changed::add);
                writeChanged();
            }
        }
    }

    /** As they are now. */
    private void write(Collection<ClientId> clientIds) {
        List<Picture> pictures = new ArrayList<>();
        List<ClientId> gone = new ArrayList<>();
        long chars = 0;
        for (ClientId clientId : clientIds) {
            PersistentSession session = sessions.find(clientId);
            if (session == null) {
                gone.add(clientId);
                continue;
            }
            SessionEntry entry = SessionEntry.of(session);
            if (entry.fingerprint() == session.storedFingerprint()) {
                continue;
            }
            pictures.add(new Picture(session, entry));
            chars += entry.length();
            if (chars >= BATCH_CHARS) {
                put(pictures);
                pictures.clear();
                chars = 0;
            }
        }
        put(pictures);
        if (!gone.isEmpty()) {
            removed.increment(directory.remove(gone));
        }
    }

    private void put(List<Picture> pictures) {
        if (pictures.isEmpty()) {
            return;
        }
        for (Picture picture : pictures) {
            // Until there is an answer.
            picture.session.storedFingerprint(PersistentSession.NOT_STORED);
        }
        try {
            directory.put(pictures.stream().map(Picture::entry).toList());
        } catch (StoreUnavailableException failure) {
            throw failure;
        } catch (RuntimeException refusal) {
            // One that can't be stored does not keep the others from it.
            if (pictures.size() > 1) {
                pictures.forEach(picture -> put(List.of(picture)));
            } else {
                refused(pictures.getFirst().entry(), refusal);
            }
            return;
        }
        written.increment(pictures.size());
        for (Picture picture : pictures) {
            picture.session.storedFingerprint(picture.entry.fingerprint());
        }
    }

    /** It is not tried again before it changes. */
    private void refused(SessionEntry entry, RuntimeException refusal) {
        refused.increment();
        if (!refusalTold) {
            refusalTold = true;
            log.warn("clientId={}: its session is missing in the searchable picture", entry.clientId(), refusal);
        }
    }
}
