package io.heddle.core.session.registrar;

import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionOwner;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of one persistent session. Owned by the event loop of the connection.
 *
 * <p>States: registering → creating its log (only of an APPLICATION client) → writing its record → begun; or rolled back from each.
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
        if (!services.memory().hasRoomForLasting(bytes)) {
            return OpenOutcome.Refused.NO_ROOM;
        }
        return services.persistent().hasRoomFor(owner()) ? null : OpenOutcome.Refused.OWNER_QUOTA;
    }

    private @Nullable SessionOwner owner() {
        return SessionOwner.of(request.identity(), request.address());
    }

    /** @param started receives the session when its record is durable */
    void start(Consumer<OpenOutcome.Opened> started) {
        PersistentSessions all = services.persistent();
        int bucket = all.bucket(request.clientId());
        requests.onAnswer(
                services.feeds()
                        .registry()
                        .connect(
                                bucket,
                                request.clientId(),
                                SessionRegistry.NEW,
                                all.highestEpoch().get(),
                                all.incarnation())
                        .whenComplete((registered, _) ->
                                requests.eventLoop().execute(() -> removeLateQueue(bucket, registered))),
                registered -> {
                    all.highestEpoch().accumulate(registered.epoch());
                    switch (request.identity().type()) {
                        case APPLICATION -> createLog(registered, started);
                        case DEVICE -> write(registered, started);
                    }
                });
    }

    /** Removes the queue of a session that was registered after its client had been refused. */
    private void removeLateQueue(int bucket, @Nullable Registration registered) {
        if (requests.hasEnded() && registered != null) {
            services.persistent().forgetQueue(bucket, request.clientId(), registered.generation());
        }
    }

    /** Creates the log of an APPLICATION client, before a publisher can find the session and append to the log. */
    private void createLog(Registration registered, Consumer<OpenOutcome.Opened> started) {
        long generation = registered.epoch();
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
                _ -> write(registered, started));
    }

    private void removeLog(long generation) {
        var _ = services.persistent().applications().end(request.clientId(), generation);
    }

    private void write(Registration registered, Consumer<OpenOutcome.Opened> started) {
        CompletionStage<PersistentSession> beginning = services.persistent()
                .begin(
                        request.clientId(),
                        request.identity().type(),
                        request.identity().userName(),
                        owner(),
                        request.expirySeconds(),
                        registered.epoch(),
                        request.will());
        begun = services.persistent().find(request.clientId());
        requests.onAnswer(beginning, session -> started.accept(new OpenOutcome.Opened(session, registered, false)));
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
        var _ = services.persistent().end(session);
    }
}
