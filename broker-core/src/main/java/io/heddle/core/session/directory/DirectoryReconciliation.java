package io.heddle.core.session.directory;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.directory.SessionDirectory.Stored;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One comparison of all directory entries with all sessions, in steps. It reads the directory page by page: entries without a session are
 * removed, and the sessions of the others get the stored fingerprints. Then it goes through the sessions and writes those whose fingerprint
 * differs or is missing. Only the clients of held buckets count; other nodes compare the others. Owned by the {@link SessionDirectoryWriter}'s thread; a failed step is repeated.
 */
final class DirectoryReconciliation {
    static final int STEP = 500;

    private final PersistentSessions sessions;
    private final SessionDirectory directory;
    private @Nullable ClientId after;
    // Null until all pages are read.
    private @Nullable Iterator<PersistentSession> left;

    DirectoryReconciliation(PersistentSessions sessions, SessionDirectory directory) {
        this.sessions = sessions;
        this.directory = directory;
    }

    /**
     * Compares up to {@value #STEP} entries.
     *
     * @return clients whose sessions have to be written if they differ from their entries, or whose entries have to be removed if they have
     *     no session, with the latest epoch known; null after the last step
     */
    @Nullable
    Map<ClientId, Long> step() {
        if (left == null) {
            List<Stored> page = directory.page(after, STEP);
            if (!page.isEmpty()) {
                after = page.getLast().clientId();
                return gone(page);
            }
            left = sessions.all().iterator();
        }
        Map<ClientId, Long> next = HashMap.newHashMap(STEP);
        while (next.size() < STEP && left.hasNext()) {
            PersistentSession session = left.next();
            if (!sessions.held().isHeld(session.bucket())) {
                continue;
            }
            next.put(session.clientId(), session.record().epoch());
        }
        return next.isEmpty() && !left.hasNext() ? null : next;
    }

    private Map<ClientId, Long> gone(List<Stored> page) {
        Map<ClientId, Long> gone = new HashMap<>();
        for (Stored stored : page) {
            PersistentSession session = sessions.find(stored.clientId());
            boolean isHeld = sessions.held().isHeld(sessions.bucket(stored.clientId()));
            if (session == null && isHeld) {
                gone.put(stored.clientId(), stored.epoch());
            } else if (session != null) {
                session.storedFingerprint(stored.fingerprint());
            }
        }
        return gone;
    }
}
