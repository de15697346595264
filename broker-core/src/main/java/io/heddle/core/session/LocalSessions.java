package io.heddle.core.session;

import io.heddle.core.Limit;
import io.heddle.core.authorization.decision.RecentDecisions;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.SignInProof;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.quota.CountQuota;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that are connected to this node, by client id. Thread-safe. The map ensures that a client id has one session on the node;
 * the event loop of that session decides about takeovers. Bound: the maximum number of sessions, connected or not, and their memory; above
 * it a client without a session is refused. The only client of a node is not refused: it may be the node's check of its own listener, and a
 * node whose stored sessions reach the maximum could not start.
 */
public final class LocalSessions {
    private static final int HELD_BYTES = 512;

    private final ConcurrentHashMap<ClientId, ClientSession> sessions = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<String, ConnectedClient> ordered = new ConcurrentSkipListMap<>();
    private final AtomicInteger connected = new AtomicInteger();
    // Of each user, the sessions that are connected or opening. Also without a limit, because changed rules may set
    // one.
    private final CountQuota<String> users = new CountQuota<>(Integer.MAX_VALUE);
    private final SessionServices services;
    private final RecentDecisions decisions;

    /**
     * No sessions, with gauges.
     *
     * @param eventLoops all loops of the node, in the order of their indexes
     */
    public LocalSessions(SessionServices services, List<EventLoop> eventLoops) {
        this.services = services;
        this.decisions = new RecentDecisions(eventLoops, services.clock());
        services.metrics().incidents().lookUp(this::origin);
        services.metrics().gauge("heddle.sessions", sessions, ConcurrentHashMap::size);
        services.metrics().gauge("heddle.sessions.connected", connected, AtomicInteger::get);
    }

    /** Passes an attempt on to its client's session, or to a new one. On the connection's event loop. */
    void claim(ConnectAttempt attempt) {
        attempt.eventLoop().assertCurrent();
        if (attempt.isAbandoned()) {
            attempt.abandon();
            return;
        }
        ClientId clientId = attempt.identity().clientId();
        ClientSession existing = sessions.get(clientId);
        if (existing == null) {
            if (isFullFor(clientId)) {
                attempt.refuseNoRoom();
                return;
            }
            ClientSession created =
                    new ClientSession(attempt.identity(), attempt.rules(), attempt.eventLoop(), services, this);
            String user = created.identity().userName();
            if (user != null && !users.tryTake(user, attempt.rules().limits().connections())) {
                attempt.refuseConnections();
                return;
            }
            if (!takeMemory(created)) {
                giveBack(user);
                attempt.refuseNoRoom();
                return;
            }
            existing = sessions.putIfAbsent(clientId, created);
            if (existing == null) {
                created.open(attempt);
                return;
            }
            release(created);
        }
        existing.claim(attempt);
    }

    /** Returns the approximate memory of a session without its messages and subscriptions. */
    private static long heldBytes(ClientId clientId) {
        return HELD_BYTES + 2L * clientId.value().length();
    }

    /** A client that resumes its persistent session, and the only client of the node, connect however full the memory is. */
    private boolean takeMemory(ClientSession created) {
        if (sessions.isEmpty() || services.persistent().isKnown(created.clientId())) {
            services.memory().charge(heldBytes(created.clientId()));
            return true;
        }
        return services.memory().tryCharge(heldBytes(created.clientId()));
    }

    /** A client that resumes its persistent session adds no session. The only client of the node always has room. */
    private boolean isFullFor(ClientId clientId) {
        return isFull() && !sessions.isEmpty() && !services.persistent().isKnown(clientId);
    }

    private boolean isFull() {
        return services.persistent().idle() + sessions.size()
                >= services.settings().maximumSessions();
    }

    /** Returns the limit because of which there is no room for another session. */
    Limit exceeded() {
        return isFull()
                ? new Limit(
                        "heddle.session.maximum-sessions", services.settings().maximumSessions())
                : services.memory().limit();
    }

    /** A session has ended. */
    void remove(ClientSession session) {
        if (sessions.remove(session.clientId(), session)) {
            release(session);
        }
    }

    private void release(ClientSession session) {
        giveBack(session.identity().userName());
        services.memory().release(heldBytes(session.clientId()));
    }

    private void giveBack(@Nullable String user) {
        if (user != null) {
            users.giveBack(user);
        }
    }

    /** A client has connected to another node: ends the connection that has the session in this epoch. Any thread. */
    public void close(ClientId clientId, long epoch) {
        ClientSession session = sessions.get(clientId);
        if (session != null) {
            session.close(epoch);
        }
    }

    /** The session of a client, or null when it has none here. */
    public @Nullable ClientSession find(ClientId clientId) {
        return sessions.get(clientId);
    }

    /** The sessions of this node, as a weakly consistent view. Any thread. */
    public Collection<ClientSession> all() {
        return sessions.values();
    }

    /**
     * Disconnects the connected clients that have signed in with a withdrawn proof, with reason code 0x87. Any thread; the owners of the sessions
     * test again and disconnect.
     *
     * @param isWithdrawn is called by the caller's thread and by the event loops that own the sessions
     * @param detail for the log
     * @param onDisconnect is called before each of them is disconnected, so that none notices the end before it is counted; by the event loop
     *     that owns its session
     * @return the number of these clients, except for those that connect meanwhile
     */
    public int disconnect(Predicate<SignInProof> isWithdrawn, String detail, Runnable onDisconnect) {
        int found = 0;
        for (ClientSession session : sessions.values()) {
            if (isConnectedWith(isWithdrawn, session)) {
                session.eventLoop().execute(() -> {
                    if (isConnectedWith(isWithdrawn, session)) {
                        onDisconnect.run();
                        session.disconnect(ReasonCode.NOT_AUTHORIZED, detail);
                    }
                });
                found++;
            }
        }
        return found;
    }

    private static boolean isConnectedWith(Predicate<SignInProof> isWithdrawn, ClientSession session) {
        SignInProof proof = session.identity().proof();
        ClientConnection current = session.connection();
        return proof != null && current != null && current.isOpen() && isWithdrawn.test(proof);
    }

    /** Decides whether a client connected to this node is read; null for any other client. Any thread. */
    @Nullable
    Inflow inflowOf(ClientId clientId) {
        ClientSession session = sessions.get(clientId);
        ClientConnection current = session == null ? null : session.connection();
        return current == null ? null : current.inflow();
    }

    private ClientIncidents.@Nullable Origin origin(ClientId clientId) {
        ClientSession session = sessions.get(clientId);
        ClientConnection current = session == null ? null : session.connection();
        ConnectedClient client = current == null ? null : current.client();
        return client == null
                ? null
                : new ClientIncidents.Origin(client.identity().userName(), client.address());
    }

    /** A client has a connection. Before CONNACK is sent, on its event loop. */
    void connected(ConnectedClient client, EventLoop eventLoop) {
        services.metrics().activity().of(eventLoop).connected(client.identity().clientId());
        ordered.put(client.identity().clientId().value(), client);
        connected.incrementAndGet();
    }

    /** The connection of a client is lost. Before its next connection gets the session. */
    void disconnected(ClientId clientId) {
        ordered.remove(clientId.value());
        connected.decrementAndGet();
    }

    /** The connected clients in the order of their client ids, which are the keys; a weakly consistent view. Any thread. */
    public ConcurrentSkipListMap<String, ConnectedClient> inOrder() {
        return ordered;
    }

    /** The latest decisions of the rules about clients of this node. Any thread. */
    public RecentDecisions decisions() {
        return decisions;
    }

    SessionServices services() {
        return services;
    }

    public int connectedCount() {
        return connected.get();
    }
}
