package io.heddle.core.session.registrar;

import io.heddle.core.Stages;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Decides which session a connecting client gets, and what becomes of it when the client leaves: resumes, begins and ends persistent
 * sessions, each on the event loop that owns it ({@link BucketLoops}). Thread-safe. Requests of one client are handled in the order of
 * the calls. The caller makes sure that a client has one request to open a session at a time.
 */
public final class SessionRegistrar {
    private final RegistrarServices services;
    private final BucketLoops loops;

    /** Opens the sessions of a node. */
    public SessionRegistrar(
            PersistentSessions persistent,
            SessionFeeds feeds,
            QueueRedelivery redelivery,
            Wills wills,
            MemoryBudget memory,
            BucketLoops loops,
            SteadyClock clock) {
        this.loops = loops;
        this.services = new RegistrarServices(persistent, feeds, redelivery, wills, memory, clock);
    }

    /**
     * Opens a client's session. On the event loop of its connection.
     *
     * @param answer receives the outcome once, later, on the event loop of the connection
     */
    public void open(OpenRequest request, Consumer<OpenOutcome> answer) {
        EventLoop loop = loops.of(services.persistent().bucket(request.clientId()));
        loop.execute(() -> new SessionOpening(request, loop, answer, services).start());
    }

    /**
     * The connection that acquired a session is lost: the session ends or waits for the client. Any thread.
     *
     * @return completes when the session's end, or its record without a connection, is durable
     */
    public CompletionStage<Void> leave(Departure departure) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        departure.session().registrarLoop().execute(() -> decide(departure, left));
        return left;
    }

    private void decide(Departure departure, CompletableFuture<Void> left) {
        PersistentSession session = departure.session();
        if (departure.expirySeconds() > 0) {
            services.persistent().unregister(session, departure.epoch(), departure.sentUpTo());
        }
        if (departure.expirySeconds() > 0 || departure.will() != null || session.isQueuedMember()) {
            // A session that ends now ends when its will is published and its messages are redelivered.
            Stages.forward(
                    services.wills().onConnectionLost(session, departure.expirySeconds(), departure.will()), left);
        } else if (session.hasManySubscriptions()) {
            session.decideInBackground(
                    () -> Stages.forward(services.persistent().end(session), left));
        } else {
            Stages.forward(services.persistent().end(session), left);
        }
    }
}
