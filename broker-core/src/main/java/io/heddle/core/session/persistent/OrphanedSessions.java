package io.heddle.core.session.persistent;

import io.heddle.core.client.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Restored sessions that were connected when their nodes died, by the loops that own them. Owned by the starting thread. */
final class OrphanedSessions {
    private final Map<EventLoop, List<PersistentSession>> byLoop = new LinkedHashMap<>();

    void add(PersistentSession session) {
        byLoop.computeIfAbsent(session.registrarLoop(), _ -> new ArrayList<>()).add(session);
    }

    /** Passes each session to an action on the loop that owns it, before the tasks that the loop gets from now on. */
    void forEach(Consumer<PersistentSession> action) {
        byLoop.forEach((loop, sessions) -> loop.execute(() -> sessions.forEach(action)));
        byLoop.clear();
    }
}
