package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientType;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The persistent sessions in the order of their client ids, which are the keys, so that lists need no scan. Thread-safe; changed only while
 * the map entry of the client is locked, or on the loop that owns the session. Bound: that of the sessions.
 */
public final class OrderedSessions {
    private final ConcurrentSkipListMap<String, PersistentSession> all = new ConcurrentSkipListMap<>();
    // Few among very many: a list of them must not examine all.
    private final ConcurrentSkipListMap<String, PersistentSession> applications = new ConcurrentSkipListMap<>();

    /** Returns all sessions; a weakly consistent view. */
    public NavigableMap<String, PersistentSession> all() {
        return all;
    }

    /** Returns the sessions of APPLICATION clients; a weakly consistent view. */
    public NavigableMap<String, PersistentSession> applications() {
        return applications;
    }

    /** Adds a session, in place of an earlier one of the client. */
    void put(PersistentSession session) {
        String clientId = session.clientId().value();
        PersistentSession before = all.put(clientId, session);
        if (isOfApplication(session)) {
            applications.put(clientId, session);
        } else if (isOfApplication(before)) {
            applications.remove(clientId, before);
        }
    }

    /** Removes a session, unless the client has a later one. */
    void remove(PersistentSession session) {
        String clientId = session.clientId().value();
        all.remove(clientId, session);
        applications.remove(clientId, session);
    }

    private static boolean isOfApplication(@Nullable PersistentSession session) {
        return session != null && session.record().type() == ClientType.APPLICATION;
    }
}
