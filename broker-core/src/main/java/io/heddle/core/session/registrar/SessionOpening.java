package io.heddle.core.session.registrar;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@link OpenRequest}: finds the client's persistent session, then resumes it, ends it, or begins a new one. Owned by the event
 * loop that owns the session. Answers on the event loop of the connection, within {@value #LIMIT_SECONDS} seconds.
 *
 * <p>States: waiting (another holder has the session) → ending an old session → {@link NewSession} or {@link ResumedSession} → ended.
 */
final class SessionOpening {
    private static final Logger log = LoggerFactory.getLogger(SessionOpening.class);
    private static final int LIMIT_SECONDS = 10;
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final String NO_ROOM_FOR_WILL = "there is no room to publish the will of its previous connection";

    private final OpenRequest request;
    private final EventLoop loop;
    private final Consumer<OpenOutcome> answer;
    private final RegistrarServices services;
    private final StoreRequests requests;
    private EventLoop.@Nullable Timer limit;
    // Acquired for this request.
    private @Nullable PersistentSession acquired;
    private @Nullable ResumedSession resumed;
    private @Nullable NewSession created;

    SessionOpening(OpenRequest request, EventLoop loop, Consumer<OpenOutcome> answer, RegistrarServices services) {
        this.request = request;
        this.loop = loop;
        this.answer = answer;
        this.services = services;
        this.requests = new StoreRequests(
                loop, failure -> fail(failure, "a store did not answer", ReasonCode.SERVER_UNAVAILABLE));
    }

    void start() {
        if (requests.hasEnded()) {
            return;
        }
        PersistentSession known = services.persistent().find(request.clientId());
        if (known != null && !hasExpired(known) && isOtherUsers(known)) {
            finish(OpenOutcome.Refused.OTHER_USER);
            return;
        }
        if (known != null && !services.persistent().acquire(known)) {
            if (known.isAcquired()) {
                // The session is still ending.
                startLimit();
                loop.schedule(PAUSE, this::start);
                return;
            }
            // The session has just ended.
            known = null;
        }
        if (known == null && request.expirySeconds() == 0) {
            finish(OpenOutcome.Opened.TRANSIENT);
            return;
        }
        acquired = known;
        startLimit();
        if (known == null) {
            begin();
        } else if (canResume(known)) {
            resume(known);
        } else {
            logDiscarded(known);
            discard(known);
        }
    }

    private void startLimit() {
        if (limit == null) {
            limit = loop.schedule(Duration.ofSeconds(LIMIT_SECONDS), this::timedOut);
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
                finish(OpenOutcome.Opened.TRANSIENT);
            } else {
                begin();
            }
        });
    }

    private void begin() {
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
        session.start(
                opened -> {
                    stop();
                    request.eventLoop().execute(() -> answerResumed(session, opened));
                },
                () -> fail(null, NO_ROOM_FOR_WILL, ReasonCode.SERVER_UNAVAILABLE));
    }

    /** On the event loop of the connection. */
    private void answerResumed(ResumedSession session, OpenOutcome.Opened opened) {
        if (request.abandoned().getAsBoolean()) {
            loop.execute(session::rollBack);
            answer.accept(new OpenOutcome.Abandoned());
        } else {
            answer.accept(opened);
        }
    }

    private void timedOut() {
        String bucket = resumed == null ? null : resumed.awaitedBucket();
        if (bucket == null) {
            fail(null, "the stores did not answer in time", ReasonCode.SERVER_UNAVAILABLE);
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

    private void finish(OpenOutcome outcome) {
        stop();
        answer(outcome);
    }

    private void answer(OpenOutcome outcome) {
        request.eventLoop().execute(() -> answer.accept(outcome));
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
