package io.heddle.core.session.persistent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The times at which disconnected sessions expire, or at which their wills are due. Thread-safe: one lock, held for one step, whose cost
 * grows with the logarithm of their number. Bound: one entry for each session.
 */
final class SessionDeadlines {
    private final TreeSet<Deadline> inOrder = new TreeSet<>(Comparator.comparingLong(Deadline::atMillis)
            .thenComparing(deadline -> deadline.session().clientId().value())
            .thenComparingLong(deadline -> deadline.session().generation()));
    private final Map<PersistentSession, Deadline> bySession = new HashMap<>();

    private record Deadline(long atMillis, PersistentSession session) {}

    /** The client of a session is away: the session is due when it expires according to its record. */
    synchronized void add(PersistentSession session) {
        remove(session);
        SessionRecord record = session.record();
        if (record.expirySeconds() < SessionRecord.FOREVER_SECONDS) {
            put(session, record.endMillis());
        }
    }

    /** Replaces the deadline of a session with this time of day. */
    synchronized void add(PersistentSession session, long atMillis) {
        remove(session);
        put(session, atMillis);
    }

    /** Sets the deadline of a session that was due to this time of day, unless it has got another one meanwhile. */
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

    /** Takes up to this number of sessions whose deadline has passed. */
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
