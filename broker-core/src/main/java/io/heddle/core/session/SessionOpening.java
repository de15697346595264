package io.heddle.core.session;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.BucketPositions.Hold;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.SessionRegistry.Registration;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one connection to its client's session: finds the one that goes on, ends the one that does not, registers
 * this node as its owner, and waits until what an earlier connection began has come to its end, and what the queues
 * have forgotten is there again. Belongs to the connection's event loop; takes {@value #LIMIT_SECONDS} seconds at most.
 */
final class SessionOpening {
    private static final Logger log = LoggerFactory.getLogger(SessionOpening.class);

    private static final int LIMIT_SECONDS = 10;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final ClientSession session;
    private final SessionClaim claim;
    private final SessionServices services;
    private final EventLoop eventLoop;
    private final long expirySeconds;
    private EventLoop.@Nullable Timer limit;
    private @Nullable PersistentSession held;
    private @Nullable PersistentSession begun;
    // Of a session that goes on, since this node has registered as its owner.
    private @Nullable Registration registration;
    // Its record until it said that the client is connected.
    private @Nullable SessionRecord before;
    // While the log of the client's bucket is not applied.
    private @Nullable Hold bucketHold;
    // Of the log that was made for an APPLICATION client, or 0.
    private long logGeneration;
    private boolean over;

    SessionOpening(ClientSession session, SessionClaim claim, SessionServices services) {
        this.session = session;
        this.claim = claim;
        this.services = services;
        this.eventLoop = claim.eventLoop();
        this.expirySeconds = ServerCapabilities.expirySeconds(claim.packet(), services.settings());
    }

    void begin() {
        if (over) {
            return;
        }
        PersistentSession known = services.persistent().find(session.clientId());
        if (known != null && !isOver(known) && isOtherUsers(known)) {
            session.notOpened(claim::refusedToOtherUser);
            return;
        }
        if (known != null && !services.persistent().hold(known)) {
            if (known.isHeld()) {
                // Its messages are on their way to others, or the housekeeping looks at it.
                limit();
                eventLoop.schedule(PAUSE, this::begin);
                return;
            }
            // It is ending at this moment.
            known = null;
        }
        if (known == null && expirySeconds == 0) {
            opened(null, null, false);
            return;
        }
        held = known;
        limit();
        if (known == null) {
            beginAnew();
        } else if (canResume(known)) {
            resume(known);
        } else {
            if (!claim.cleanStart() && !isOver(known)) {
                log.info(
                        "clientId={}: its session ends with what waits in it, because its client was {} with user name {} and is"
                                + " now {} with user name {}",
                        session.clientId(),
                        known.record().type(),
                        known.record().userName(),
                        claim.identity().type(),
                        claim.identity().userName());
            }
            end(known);
        }
    }

    private void limit() {
        if (limit == null) {
            limit = eventLoop.schedule(Duration.ofSeconds(LIMIT_SECONDS), this::timedOut);
        }
    }

    private boolean isOtherUsers(PersistentSession known) {
        return !claim.identity().mayReplaceSessionOf(known.record().userName());
    }

    /** The session of the same user goes on, and messages wait where the client's type says [MQTT-3.1.2-4]. */
    private boolean canResume(PersistentSession known) {
        ClientIdentity identity = claim.identity();
        return !claim.cleanStart()
                && !isOver(known)
                && isSameUser(identity, known.record().userName())
                && identity.type() == known.record().type();
    }

    /**
     * Credentials that name the client id and no user admit its owner, whatever user the record has: records of earlier versions have
     * the user name that CONNECT showed.
     */
    private static boolean isSameUser(ClientIdentity identity, @Nullable String ofSession) {
        return Objects.equals(identity.userName(), ofSession)
                || (identity.ownsClientId() && identity.userName() == null);
    }

    /** Whether its time is over: the housekeeping has not ended it yet. */
    private boolean isOver(PersistentSession known) {
        return known.record().isOverAt(services.clock().millis());
    }

    private void end(PersistentSession known) {
        if (!services.wills().publishWaiting(known)) {
            failed(null, "there is no room to publish the will of its last connection");
            return;
        }
        // The log keeps the will until it has arrived elsewhere [MQTT-3.1.2-8].
        then(known.stored().willsArrived(), _ -> {
            held = null;
            if (known.hasManySubscriptions()) {
                eventLoop.inBackground(() -> {
                    endNow(known);
                    return false;
                });
            } else {
                endNow(known);
            }
        });
    }

    private void endNow(PersistentSession known) {
        then(services.redelivery().end(known), _ -> {
            if (expirySeconds == 0) {
                opened(null, null, false);
            } else {
                beginAnew();
            }
        });
    }

    private void beginAnew() {
        PersistentSessions all = services.persistent();
        long bytes =
                PersistentSession.heldBytes(session.clientId(), claim.identity().userName());
        if (!services.memory().hasRoomForLasting(bytes)) {
            end();
            session.notOpened(claim::refused);
            return;
        }
        if (!all.hasRoomFor(owner())) {
            end();
            session.notOpened(claim::refusedToOwner);
            return;
        }
        int bucket = all.bucket(session.clientId());
        then(
                services.feeds()
                        .registry()
                        .connect(
                                bucket,
                                session.clientId(),
                                SessionRegistry.NEW,
                                all.highestEpoch().get(),
                                all.incarnation())
                        .whenComplete((registered, _) -> eventLoop.execute(() -> forgetWhenLate(bucket, registered))),
                registered -> {
                    all.highestEpoch().accumulate(registered.epoch());
                    switch (claim.identity().type()) {
                        case APPLICATION -> beginLog(registered);
                        case DEVICE -> begin(registered);
                    }
                });
    }

    private @Nullable SessionOwner owner() {
        return SessionOwner.of(claim.identity(), claim.connection().remoteAddress());
    }

    /** The log of an APPLICATION client is there before anybody can find its session and append to it. */
    private void beginLog(Registration registered) {
        long generation = registered.epoch();
        logGeneration = generation;
        then(
                services.persistent()
                        .applications()
                        .begin(session.clientId(), generation)
                        .whenComplete((_, _) -> eventLoop.execute(() -> {
                            if (over && begun == null) {
                                endLog(generation);
                            }
                        })),
                _ -> begin(registered));
    }

    private void endLog(long generation) {
        var _ = services.persistent().applications().end(session.clientId(), generation);
    }

    private void begin(Registration registered) {
        CompletionStage<PersistentSession> beginning = services.persistent()
                .begin(
                        session.clientId(),
                        claim.identity().type(),
                        claim.identity().userName(),
                        owner(),
                        expirySeconds,
                        registered.epoch(),
                        claim.packet().will());
        begun = services.persistent().find(session.clientId());
        then(beginning, made -> opened(made, registered, false));
    }

    /** The client was refused meanwhile: nobody knows the session that was begun for it. */
    private void forgetWhenLate(int bucket, @Nullable Registration registered) {
        if (over && registered != null) {
            services.persistent().forgetQueue(bucket, session.clientId(), registered.generation());
        }
    }

    private void resume(PersistentSession known) {
        // What its earlier connection began to write is written, and applied, before it is asked what there is.
        known.uncommitted().whenNone(() -> eventLoop.execute(() -> awaitBucket(known)));
    }

    private void awaitBucket(PersistentSession known) {
        if (!over) {
            bucketHold = services.feeds()
                    .positions()
                    .whenApplied(known.bucket(), () -> eventLoop.execute(() -> register(known)));
        }
    }

    private void timedOut() {
        PersistentSession waiting = held;
        if (bucketHold == null || waiting == null) {
            failed(null, "the stores did not answer in time");
        } else {
            failed(null, services.feeds().positions().describe(waiting.bucket()), ReasonCode.SERVER_BUSY);
        }
    }

    private void register(PersistentSession known) {
        bucketHold = null;
        if (over) {
            return;
        }
        PersistentSessions all = services.persistent();
        BucketPosition before = services.feeds().positions().lastPosition(known.bucket());
        then(
                services.feeds()
                        .registry()
                        .connect(
                                known.bucket(),
                                known.clientId(),
                                known.generation(),
                                known.record().epoch(),
                                all.incarnation()),
                registered -> {
                    if (services.feeds().watch().detect(known.bucket(), before, registered.position())) {
                        // What it was told may be old: a mark that is missing would send a message a second time.
                        eventLoop.schedule(PAUSE, () -> resume(known));
                        return;
                    }
                    connect(known, registered);
                });
    }

    /** CONNACK says that the will is stored, so it waits until the record with the will is durable [MQTT-3.1.2-8]. */
    private void connect(PersistentSession known, Registration registered) {
        services.persistent().highestEpoch().accumulate(registered.epoch());
        registration = registered;
        if (!services.wills().publishOverdue(known)) {
            failed(null, "there is no room to publish the will of its last connection");
            return;
        }
        RecordChange change = services.persistent()
                .connected(
                        known,
                        expirySeconds,
                        claim.identity().userName(),
                        registered.epoch(),
                        claim.packet().will());
        before = change.before();
        then(change.written(), _ -> {
            if (claim.isOver()) {
                end();
                leave(known);
                session.notOpened(claim::abandoned);
            } else {
                opened(known, registered, true);
            }
        });
    }

    private <T> void then(CompletionStage<T> answer, Step<T> step) {
        answer.whenComplete((value, failure) -> eventLoop.execute(() -> {
            if (failure != null) {
                failed(failure, "a store did not answer");
            } else if (!over) {
                step.take(value);
            }
        }));
    }

    /** What follows an answer. */
    @FunctionalInterface
    private interface Step<T> {
        void take(T answer);
    }

    private void opened(@Nullable PersistentSession persistent, @Nullable Registration registered, boolean present) {
        end();
        session.opened(claim, persistent, registered, present);
    }

    private void failed(@Nullable Throwable failure, String why) {
        failed(failure, why, ReasonCode.SERVER_UNAVAILABLE);
    }

    private void failed(@Nullable Throwable failure, String why, ReasonCode reason) {
        if (over) {
            return;
        }
        end();
        FailureLog.warn(
                log, "clientId=" + session.clientId() + ": its session could not be opened, because " + why, failure);
        if (held != null) {
            leave(held);
        }
        if (begun == null && logGeneration != 0) {
            endLog(logGeneration);
        }
        if (begun != null) {
            // The client was not told that it has one.
            services.persistent().end(begun).whenComplete((_, unwritten) -> {
                if (unwritten != null) {
                    FailureLog.warn(
                            log,
                            "clientId=" + session.clientId() + ": the end of its session could not be written",
                            unwritten);
                }
            });
        }
        session.notOpened(() -> claim.unavailable(reason, why));
    }

    /** Frees a session that goes on without this connection, as it was before. */
    private void leave(PersistentSession known) {
        Registration registered = registration;
        SessionRecord unchanged = before;
        if (unchanged == null) {
            services.persistent().leave(known);
        } else {
            services.persistent().notConnected(known, unchanged);
        }
        if (registered != null) {
            services.persistent().disconnect(known, registered.epoch(), registered.sentUpTo());
        }
    }

    private void end() {
        over = true;
        if (limit != null) {
            limit.cancel();
        }
        if (bucketHold != null) {
            bucketHold.cancel();
        }
    }
}
