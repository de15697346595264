package io.heddle.core.session.directory;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.directory.SessionDirectory.Stored;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One comparison of all directory entries with all sessions, in steps. It reads the directory page by page: entries without a session are
 * removed, and the sessions of the others get the stored fingerprints. Then it goes through the sessions and writes those whose fingerprint
 * differs or is missing. Owned by the {@link SessionDirectoryWriter}'s thread; a failed step is repeated.
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
     *     no session; null after the last step
     */
    @Nullable
    Collection<ClientId> step() {
        if (left == null) {
            List<Stored> page = directory.page(after, STEP);
            if (!page.isEmpty()) {
                after = page.getLast().clientId();
                return gone(page);
            }
            left = sessions.all().iterator();
        }
        List<ClientId> next = new ArrayList<>(STEP);
        while (next.size() < STEP && left.hasNext()) {
            next.add(left.next().clientId());
        }
        return next.isEmpty() ? null : next;
    }

    private List<ClientId> gone(List<Stored> page) {
        List<ClientId> gone = new ArrayList<>();
        for (Stored stored : page) {
            PersistentSession session = sessions.find(stored.clientId());
            if (session == null) {
                gone.add(stored.clientId());
            } else {
                session.storedFingerprint(stored.fingerprint());
            }
        }
        return gone;
    }
}
