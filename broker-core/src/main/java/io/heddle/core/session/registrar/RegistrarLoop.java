package io.heddle.core.session.registrar;

import io.heddle.core.client.EventLoop;
import io.heddle.core.quota.MemoryBudget;

/** The state of the registrar on one event loop: the requests of the clients whose buckets the loop owns. Owned by that loop. */
final class RegistrarLoop {
    private final EventLoop eventLoop;
    private final ClientTurns openings = new ClientTurns();
    private final ClientTurns changes = new ClientTurns();
    private final TransientClients transients;

    RegistrarLoop(EventLoop eventLoop, MemoryBudget memory) {
        this.eventLoop = eventLoop;
        this.transients = new TransientClients(memory);
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
}
