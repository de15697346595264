package io.heddle.core.session;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The sessions whose last record the log refused, for example because too much waits to be appended: a restart would read an old record,
 * with a will that was discarded. The housekeeping repeats the append. Thread-safe. Bound: one entry for each session.
 */
final class UnwrittenRecords {
    private final Set<PersistentSession> sessions = ConcurrentHashMap.newKeySet();

    /** Remembers a session if this append of its record fails; returns the append. */
    CompletionStage<Void> watch(PersistentSession session, CompletionStage<Void> append) {
        append.whenComplete((_, failure) -> {
            if (failure != null) {
                sessions.add(session);
            }
        });
        return append;
    }

    /** Takes out some of them, at most so many, and has their records appended again. */
    void retry(int maximum, Consumer<PersistentSession> append) {
        Iterator<PersistentSession> due = sessions.iterator();
        for (int i = 0; i < maximum && due.hasNext(); i++) {
            PersistentSession session = due.next();
            due.remove();
            append.accept(session);
        }
    }
}
