package io.heddle.core.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * When the sessions whose clients are away end, or when their wills are due. Thread-safe: one lock, held for one step,
 * whose cost grows with the logarithm of their number. Bound: one entry for each session.
 */
final class SessionDeadlines {
    /** MQTT 5.0, section 3.1.2.11.2: a session with this expiry does not end. */
    static final long FOREVER_SECONDS = 0xFFFF_FFFFL;

    private final TreeSet<Deadline> inOrder = new TreeSet<>(Comparator.comparingLong(Deadline::atMillis)
            .thenComparing(deadline -> deadline.session().clientId().value())
            .thenComparingLong(deadline -> deadline.session().generation()));
    private final Map<PersistentSession, Deadline> bySession = new HashMap<>();

    private record Deadline(long atMillis, PersistentSession session) {}

    /** The client of a session is away, as the session's record says: it is due when it ends. */
    synchronized void add(PersistentSession session) {
        remove(session);
        SessionRecord record = session.record();
        if (record.expirySeconds() < FOREVER_SECONDS) {
            put(session, record.endMillis());
        }
    }

    /** A session is due at this time of day, whatever was said of it before. */
    synchronized void add(PersistentSession session, long atMillis) {
        remove(session);
        put(session, atMillis);
    }

    /** A session that was due is to be looked at again at this time of day, unless somebody said more of it meanwhile. */
    synchronized void postpone(PersistentSession session, long atMillis) {
        if (!bySession.containsKey(session)) {
            put(session, atMillis);
        }
    }

    private void put(PersistentSession session, long atMillis) {
        Deadline deadline = new Deadline(atMillis, session);
        bySession.put(session, deadline);
        inOrder.add(deadline);
    }

    /** The client is back, or the session has ended. */
    synchronized void remove(PersistentSession session) {
        Deadline deadline = bySession.remove(session);
        if (deadline != null) {
            inOrder.remove(deadline);
        }
    }

    /** Takes out sessions whose time is over, at most so many. */
    synchronized List<PersistentSession> due(long nowMillis, int maximum) {
        List<PersistentSession> due = new ArrayList<>();
        while (!inOrder.isEmpty() && due.size() < maximum && inOrder.getFirst().atMillis <= nowMillis) {
            Deadline first = inOrder.removeFirst();
            bySession.remove(first.session);
            due.add(first.session);
        }
        return due;
    }
}
