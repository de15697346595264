package io.heddle.core.session.registrar;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.event.ClientEvent.SessionEnd;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of one persistent session. Owned by the event loop that owns the session.
 *
 * <p>States: creating its log (only of an APPLICATION client) → writing its record → registering → begun; or rolled back from each.
 */
final class NewSession {
    private final OpenRequest request;
    private final StoreRequests requests;
    private final RegistrarServices services;
    // Generation of the log that was created for an APPLICATION client, or 0.
    private long logGeneration;
    private @Nullable PersistentSession begun;

    NewSession(OpenRequest request, StoreRequests requests, RegistrarServices services) {
        this.request = request;
        this.requests = requests;
        this.services = services;
    }

    /** Returns why the session may not begin, or null. */
    OpenOutcome.@Nullable Refused refusalReason() {
        long bytes = PersistentSession.heldBytes(
                request.clientId(), request.identity().userName());
        if (!services.memory().hasRoomForPersistent(bytes)) {
            return OpenOutcome.Refused.NO_ROOM;
        }
        return services.persistent().hasRoomFor(request.owner()) ? null : OpenOutcome.Refused.OWNER_QUOTA;
    }

    /** @param started receives the session when its record is durable and its queue is registered */
    void start(Consumer<OpenOutcome.Opened> started) {
        long generation = services.persistent().epochs().next();
        switch (request.identity().type()) {
            case APPLICATION -> createLog(generation, started);
            case DEVICE -> write(generation, started);
        }
    }

    /** The log of an APPLICATION client exists before a publisher can find its session and append to the log. */
    private void createLog(long generation, Consumer<OpenOutcome.Opened> started) {
        logGeneration = generation;
        requests.onAnswer(
                services.persistent()
                        .applications()
                        .begin(request.clientId(), generation)
                        .whenComplete((_, _) -> requests.eventLoop().execute(() -> {
                            if (requests.hasEnded() && begun == null) {
                                removeLog(generation);
                            }
                        })),
                _ -> write(generation, started));
    }

    private void removeLog(long generation) {
        var _ = services.persistent().applications().end(request.clientId(), generation);
    }

    private void write(long generation, Consumer<OpenOutcome.Opened> started) {
        CompletionStage<PersistentSession> beginning = services.persistent()
                .begin(
                        request.clientId(),
                        request.identity().type(),
                        request.identity().userName(),
                        request.owner(),
                        request.expirySeconds(),
                        request.node(),
                        generation,
                        request.will());
        begun = services.persistent().find(request.clientId());
        requests.onAnswer(beginning, session -> register(session, started));
    }

    /** The registration empties the queue of an earlier session, which the durable record of this one has ended. */
    private void register(PersistentSession session, Consumer<OpenOutcome.Opened> started) {
        PersistentSessions all = services.persistent();
        requests.onAnswer(
                services.register(session, 0)
                        .whenComplete((registered, _) ->
                                requests.eventLoop().execute(() -> removeLateQueue(session, registered))),
                registered -> {
                    all.epochs().onSeen(registered.epoch());
                    if (registered.epoch() == session.generation()) {
                        started.accept(new OpenOutcome.Opened(session.generation(), registered, null, false));
                    } else {
                        requests.fail(laterRegistration());
                    }
                });
    }

    /** Describes a registration whose epoch is above that of the record: the registry knows a later connection of the client. */
    static StoreUnavailableException laterRegistration() {
        return new StoreUnavailableException("the session registry has a later registration of the client", null);
    }

    /**
     * The client was refused meanwhile, and its session has ended. The registration may have come after the removal of the queue. Another
     * node may have taken over this session meanwhile, so a commit proves first that this node still decides about the client.
     */
    private void removeLateQueue(PersistentSession session, @Nullable Registration registered) {
        if (requests.hasEnded() && registered != null) {
            services.persistent().queued().removeQueue(session.bucket(), session.clientId(), session.generation());
        }
    }

    /** Removes every trace of the session, because the client is refused. */
    void rollBack() {
        PersistentSession session = begun;
        if (session == null) {
            if (logGeneration != 0) {
                removeLog(logGeneration);
            }
            return;
        }
        session.endsBecause(SessionEnd.NOT_OPENED);
        var _ = services.persistent().end(session);
    }
}
