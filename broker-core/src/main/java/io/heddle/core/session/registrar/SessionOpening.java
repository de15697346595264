package io.heddle.core.session.registrar;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.event.ClientEvent.SessionEnd;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@link OpenRequest}: finds the client's persistent session, then resumes it, ends it, or begins a new one. Owned by the event
 * loop that owns the session. Answers on that loop, within {@value #LIMIT_SECONDS} seconds.
 *
 * <p>States: awaiting its turn (an earlier request of the client is being handled) → awaiting the release of the session (a connection or a
 * background task has it) → ending an old session → {@link NewSession} or {@link ResumedSession} → ended.
 */
final class SessionOpening {
    private static final Logger log = LoggerFactory.getLogger(SessionOpening.class);
    private static final int LIMIT_SECONDS = 10;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);
    private static final String NO_ROOM_FOR_WILL = "there is no room to publish the will of its previous connection";

    private final OpenRequest request;
    private final EventLoop loop;
    private final TransientClients transients;
    private final Consumer<OpenOutcome> answer;
    private final Runnable turnEnded;
    private final RegistrarServices services;
    private final StoreRequests requests;
    private EventLoop.@Nullable Timer limit;
    // Acquired for this request.
    private @Nullable PersistentSession acquired;
    private @Nullable ResumedSession resumed;
    private @Nullable NewSession created;
    private boolean hasTurn;
    // For its turn, or for the departure of a connection.
    private boolean isWaiting = true;

    /** @param turnEnded runs once after {@link #begin}, when the next request of the client may begin */
    SessionOpening(
            OpenRequest request,
            RegistrarLoop loop,
            Consumer<OpenOutcome> answer,
            Runnable turnEnded,
            RegistrarServices services) {
        this.request = request;
        this.loop = loop.eventLoop();
        this.transients = loop.transients();
        this.answer = answer;
        this.turnEnded = turnEnded;
        this.services = services;
        this.requests = new StoreRequests(
                this.loop, failure -> fail(failure, "a store did not answer", ReasonCode.SERVER_UNAVAILABLE));
    }

    /** An earlier request of the client is being handled. */
    void awaitTurn() {
        startLimit();
    }

    /** It is the turn of this request. */
    void begin() {
        hasTurn = true;
        if (requests.hasEnded()) {
            turnEnded.run();
        } else {
            start();
        }
    }

    private void start() {
        isWaiting = true;
        TransientClients.Holder holder = transients.find(request.clientId());
        PersistentSession known = services.persistent().find(request.clientId());
        if (request.mustBeAway() && hasConnectedSince(holder, known)) {
            finish(OpenOutcome.Refused.CONNECTED);
            return;
        }
        if (holder != null) {
            awaitDeparture(holder);
            return;
        }
        if (known != null && !hasExpired(known) && isOtherUsers(known)) {
            finish(OpenOutcome.Refused.OTHER_USER);
            return;
        }
        if (known != null && !services.persistent().acquire(known)) {
            if (known.isAcquired()) {
                awaitRelease(known);
                return;
            }
            // The session has just ended.
            known = null;
        }
        if (known == null
                && transients.tryAwait(
                        services.persistent().bucket(request.clientId()), () -> loop.execute(this::startAgain))) {
            // It may have a connection without a persistent session.
            startLimit();
            return;
        }
        if (known == null && request.expirySeconds() == 0) {
            finishTransient();
            return;
        }
        isWaiting = false;
        acquired = known;
        startLimit();
        if (known == null) {
            beginNew();
        } else if (canResume(known)) {
            resume(known);
        } else {
            logDiscarded(known);
            known.endsBecause(endReason(known));
            discard(known);
        }
    }

    private boolean hasConnectedSince(TransientClients.@Nullable Holder holder, @Nullable PersistentSession known) {
        SessionRecord record = known == null ? null : known.record();
        return holder != null || (record != null && (!record.isAway() || record.epoch() != request.awayEpoch()));
    }

    /**
     * A connection or a background task has the session. The connection is closed. One of the same node has been lost, so its departure is on
     * its way; unless its grant was lost with an earlier holder of the bucket, which the node answers.
     */
    private void awaitRelease(PersistentSession known) {
        startLimit();
        known.onceReleased(this::startAgain);
        SessionRecord record = known.record();
        if (!record.isAway()) {
            services.connected().close(record.owner(), request.clientId(), record.epoch());
        }
    }

    /** The client has a connection without a persistent session. */
    private void awaitDeparture(TransientClients.Holder holder) {
        TransientClient client = holder.client();
        if (!request.identity().mayReplaceSessionOf(client.userName())) {
            finish(OpenOutcome.Refused.OTHER_USER);
            return;
        }
        startLimit();
        transients.onceLeft(request.clientId(), () -> loop.execute(this::startAgain));
        services.connected().close(holder.node(), request.clientId(), client.number());
    }

    private void startAgain() {
        if (!requests.hasEnded()) {
            start();
        }
    }

    private void finishTransient() {
        TransientClient client = new TransientClient(
                request.clientId(),
                services.persistent().epochs().next(),
                request.identity().userName());
        boolean isAdded = transients.add(request.node(), client);
        finish(isAdded ? new OpenOutcome.Transient(client.number()) : OpenOutcome.Refused.NO_ROOM);
    }

    private void startLimit() {
        if (limit == null) {
            limit = loop.schedule(LIMIT, this::timedOut);
        }
    }

    private boolean isOtherUsers(PersistentSession known) {
        return !request.identity().mayReplaceSessionOf(known.record().userName());
    }

    /**
     * Returns whether the client continues the session [MQTT-3.1.2-4]: it has not expired and has the same user and the same client type,
     * which determines where messages are stored.
     */
    private boolean canResume(PersistentSession known) {
        ClientIdentity identity = request.identity();
        return !request.cleanStart()
                && !hasExpired(known)
                && isSameUser(identity, known.record().userName())
                && identity.type() == known.record().type();
    }

    /**
     * Credentials that name the client id and no user admit its owner regardless of the record's user: records of earlier versions contain
     * the user name of CONNECT.
     */
    private static boolean isSameUser(ClientIdentity identity, @Nullable String ofSession) {
        return Objects.equals(identity.userName(), ofSession)
                || (identity.ownsClientId() && identity.userName() == null);
    }

    /** Returns whether the session has expired; the housekeeping has not ended it yet. */
    private boolean hasExpired(PersistentSession known) {
        return known.record().isOverAt(services.clock().millis());
    }

    private SessionEnd endReason(PersistentSession known) {
        if (request.isOfAdministrator()) {
            return SessionEnd.ADMINISTRATOR;
        } else if (hasExpired(known)) {
            return SessionEnd.EXPIRED;
        }
        return request.cleanStart() ? SessionEnd.CLEAN_START : SessionEnd.CLIENT_CHANGED;
    }

    private void logDiscarded(PersistentSession known) {
        if (!request.cleanStart() && !hasExpired(known)) {
            log.info(
                    "Discarding a session and its queued messages because the type or user name of its client has changed: clientId={},"
                            + " type={}, userName={}, previousType={}, previousUserName={}",
                    request.clientId(),
                    request.identity().type(),
                    request.identity().userName(),
                    known.record().type(),
                    known.record().userName());
        }
    }

    private void discard(PersistentSession known) {
        if (!services.wills().publishWaiting(known)) {
            fail(null, NO_ROOM_FOR_WILL, ReasonCode.SERVER_UNAVAILABLE);
            return;
        }
        // The log keeps the will until its publish is complete [MQTT-3.1.2-8].
        requests.onAnswer(known.whenWillsPublished(), _ -> {
            acquired = null;
            if (known.hasManySubscriptions()) {
                known.decideInBackground(() -> end(known));
            } else {
                end(known);
            }
        });
    }

    private void end(PersistentSession known) {
        requests.onAnswer(services.redelivery().end(known), _ -> {
            if (request.expirySeconds() == 0) {
                finishTransient();
            } else {
                beginNew();
            }
        });
    }

    private void beginNew() {
        NewSession session = new NewSession(request, requests, services);
        OpenOutcome.Refused refusal = session.refusalReason();
        if (refusal != null) {
            finish(refusal);
            return;
        }
        created = session;
        session.start(this::finish);
    }

    private void resume(PersistentSession known) {
        ResumedSession session = new ResumedSession(known, request, requests, services);
        resumed = session;
        session.start(this::finish, () -> fail(null, NO_ROOM_FOR_WILL, ReasonCode.SERVER_UNAVAILABLE));
    }

    private void timedOut() {
        String bucket = resumed == null ? null : resumed.awaitedBucket();
        if (bucket == null) {
            fail(null, "the stores or another node did not answer in time", ReasonCode.SERVER_UNAVAILABLE);
        } else {
            fail(null, bucket, ReasonCode.SERVER_BUSY);
        }
    }

    private void fail(@Nullable Throwable failure, String detail, ReasonCode reason) {
        if (requests.hasEnded()) {
            return;
        }
        stop();
        FailureLog.warn(
                log,
                "Could not open a session; the client is refused and may try again: clientId=" + request.clientId()
                        + ", reason=" + detail,
                failure);
        if (resumed != null) {
            resumed.rollBack();
        } else if (acquired != null) {
            services.persistent().release(acquired);
        }
        if (created != null) {
            created.rollBack();
        }
        answer(new OpenOutcome.Unavailable(reason, detail));
    }

    /** Another node will decide about the client: ends a request that waits. One that has begun to change a session goes on. */
    void onMoved() {
        if (requests.hasEnded()) {
            return;
        }
        if (resumed != null && resumed.awaitedBucket() != null) {
            resumed.rollBack();
        } else if (!isWaiting) {
            return;
        }
        finish(OpenOutcome.Moved.INSTANCE);
    }

    private void finish(OpenOutcome outcome) {
        stop();
        answer(outcome);
    }

    private void answer(OpenOutcome outcome) {
        answer.accept(outcome);
        if (hasTurn) {
            turnEnded.run();
        }
    }

    private void stop() {
        requests.end();
        if (limit != null) {
            limit.cancel();
        }
        if (resumed != null) {
            resumed.stopWaiting();
        }
    }
}
