package io.heddle.core.session.registrar;

import io.heddle.core.client.EventLoop;
import io.heddle.core.quota.MemoryBudget;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The state of the registrar on one event loop: the requests of the clients whose buckets the loop owns. Owned by that loop. */
final class RegistrarLoop {
    private final EventLoop eventLoop;
    private final ClientTurns openings = new ClientTurns();
    private final ClientTurns changes = new ClientTurns();
    private final TransientClients transients;
    private final BitSet open = new BitSet();
    // By the bucket of the client.
    private final Map<Integer, Set<SessionOpening>> inHand = new HashMap<>();

    RegistrarLoop(EventLoop eventLoop, MemoryBudget memory, MeterRegistry registry) {
        this.eventLoop = eventLoop;
        this.transients = new TransientClients(eventLoop, memory, registry);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    /** The changes of subscriptions, and the departures. A large change takes several steps. */
    ClientTurns changes() {
        return changes;
    }

    /** The connections without persistent sessions. */
    TransientClients transients() {
        return transients;
    }

    /** The requests for sessions. A request may wait for the departure of a connection. */
    ClientTurns openings() {
        return openings;
    }

    /** Returns whether requests for the clients of a bucket are accepted. */
    boolean isOpen(int bucket) {
        return open.get(bucket);
    }

    void open(int bucket) {
        open.set(bucket);
    }

    /** Accepts no more requests. Those that wait for another client or node end; those that have begun to change a session go on. */
    void close(int bucket) {
        open.clear(bucket);
        List.copyOf(inHand.getOrDefault(bucket, Set.of())).forEach(SessionOpening::onMoved);
    }

    /** An opening has begun. */
    void add(int bucket, SessionOpening opening) {
        inHand.computeIfAbsent(bucket, _ -> new LinkedHashSet<>()).add(opening);
    }

    /** An opening is answered. */
    void remove(int bucket, SessionOpening opening) {
        Set<SessionOpening> openings = inHand.get(bucket);
        if (openings != null && openings.remove(opening) && openings.isEmpty()) {
            inHand.remove(bucket);
        }
    }
}
