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
 * One passage over all that the directory has and all that there is, step by step. First its pages: what is not a session any more
 * goes, of the others it becomes known what is stored of them. Then the sessions: those of which something else is stored, or
 * nothing, are written. Belongs to the {@link SessionDirectoryWriter}'s thread; a step that fails is repeated.
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
     * Goes on with at most {@value #STEP} entries.
     *
     * @return whose sessions have to be written if they differ from what is stored, and whose have to be removed if there are none;
     *     null when this was the last step
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
