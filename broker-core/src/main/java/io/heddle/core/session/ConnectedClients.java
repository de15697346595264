package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions whose clients are connected to this node, by client id. Thread-safe; this map is what makes sure that a client
 * id has one session here. Bounded by the listeners' connection limit.
 */
public final class ConnectedClients {
    private final ConcurrentHashMap<ClientId, ClientSession> sessions = new ConcurrentHashMap<>();

    /** An empty map, gauged. */
    public ConnectedClients(SessionMetrics metrics) {
        metrics.gauge("heddle.sessions.connected", sessions, ConcurrentHashMap::size);
    }

    /** Makes this session the one of its client id and returns the one that was, or null. */
    @Nullable
    ClientSession enter(ClientSession session) {
        return sessions.put(session.clientId(), session);
    }

    /** The session is gone; does nothing when another has taken its place. */
    void leave(ClientSession session) {
        sessions.remove(session.clientId(), session);
    }

    /** How many there are. */
    public int count() {
        return sessions.size();
    }

    /** All of them at about this moment. */
    public List<ClientSession> all() {
        return new ArrayList<>(sessions.values());
    }
}
