package io.heddle.core.session.registrar;

import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;
import java.util.function.Consumer;

/**
 * Decides which session a connecting client gets: resumes, begins or ends persistent sessions. Thread-safe. The caller makes sure that
 * a client has one request at a time.
 */
public final class SessionRegistrar {
    private final RegistrarServices services;

    /** Opens the sessions of a node. */
    public SessionRegistrar(
            PersistentSessions persistent,
            SessionFeeds feeds,
            QueueRedelivery redelivery,
            Wills wills,
            MemoryBudget memory,
            SteadyClock clock) {
        this.services = new RegistrarServices(persistent, feeds, redelivery, wills, memory, clock);
    }

    /**
     * Opens a client's session. On the event loop of its connection.
     *
     * @param answer receives the outcome once, on the event loop, now or later
     */
    public void open(OpenRequest request, Consumer<OpenOutcome> answer) {
        new SessionOpening(request, answer, services).start();
    }
}
