package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Handles the requests of each client one after another, in the order of their arrival. Owned by one event loop. Bound: the callers limit
 * the requests of a client; a client without a request has no entry.
 */
final class ClientTurns {
    private final Map<ClientId, Turns> byClient = new HashMap<>();

    private static final class Turns {
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(1);
        // The request whose turn it is has not ended.
        private boolean taken;
        private boolean proceeding;
    }

    /** Returns whether the client has a request. */
    boolean isBusy(ClientId clientId) {
        return byClient.containsKey(clientId);
    }

    /** Begins a request, now or when the earlier requests of the client have ended. {@link #end} ends it. */
    void begin(ClientId clientId, Runnable request) {
        Turns turns = byClient.computeIfAbsent(clientId, _ -> new Turns());
        turns.waiting.add(request);
        proceed(clientId, turns);
    }

    /** The request of the client whose turn it is has ended. */
    void end(ClientId clientId) {
        Turns turns = byClient.get(clientId);
        if (turns != null) {
            turns.taken = false;
            proceed(clientId, turns);
        }
    }

    /** Begins the next requests. A request that ends at once does not begin the next one on its own stack. */
    private void proceed(ClientId clientId, Turns turns) {
        if (turns.proceeding) {
            return;
        }
        turns.proceeding = true;
        try {
            while (!turns.taken) {
                Runnable next = turns.waiting.poll();
                if (next == null) {
                    byClient.remove(clientId);
                    return;
                }
                turns.taken = true;
                next.run();
            }
        } finally {
            turns.proceeding = false;
        }
    }
}
