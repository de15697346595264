package io.heddle.core.session;

import io.heddle.core.Stages;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.subscription.LocalSession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A persistent session from the registrar's grant until the departure of the connection. Owned by the connection's event loop.
 *
 * @param epoch of the connection
 */
record HeldSession(PersistentSession session, long epoch, SessionServices services) {
    /** Finds the granted session in the memory of this node, or returns null when it is not there. */
    static @Nullable HeldSession find(ClientId clientId, OpenOutcome.Opened granted, SessionServices services) {
        PersistentSession session = services.persistent().find(clientId);
        return session == null || session.generation() != granted.generation()
                ? null
                : new HeldSession(session, granted.epoch(), services);
    }

    /** Messages reach the client from now on. */
    void attach(LocalSession client) {
        services.persistent().attach(session, client);
        services.subscribeService().connectionChanged(session);
    }

    /** Messages do not reach the client any more. */
    void detach() {
        services.persistent().detach(session);
        services.subscribeService().connectionChanged(session);
        session.reader(null);
    }

    /**
     * The connection is lost. Its departure waits until the outcome of the client's publishes is known: a client that repeats a message
     * over its next connection must learn the outcome of the first attempt, and later messages must not overtake it.
     *
     * @param published completes when the outcome of the publishes is known, except for QoS 2 commits
     * @return completes when the session's end, or its record without a connection, is durable
     */
    CompletionStage<Void> leave(
            long sentUpTo, long expirySeconds, @Nullable WillMessage due, CompletionStage<Void> published) {
        Departure departure =
                new Departure(session.clientId(), session.generation(), epoch, sentUpTo, expirySeconds, due);
        CompletableFuture<Void> written = new CompletableFuture<>();
        published.thenRun(() -> session.pendingCommits()
                .whenNone(() -> Stages.forward(
                        services.registrar().leave(afterAppends(departure)).thenAccept(_ -> {}), written)));
        return written;
    }

    /** The next connection must find the markers of the QoS 2 messages that this node has taken. */
    private Departure afterAppends(Departure departure) {
        return departure.afterAppends(services.feeds().positions().appendedOffset(session.bucket()));
    }
}
