package io.heddle.core.session.registrar;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.PositionChange;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request to change the position of an APPLICATION client in its log, between two connections of the client. Owned by the event loop that
 * owns the session. Answers on that loop, within {@value #LIMIT_SECONDS} seconds.
 *
 * <p>States: awaiting its turn (an opening of the client is being handled) → awaiting the release of the session (its connection is closed, and
 * departs when its last progress is durable) → writing a new epoch into the session's record → writing the position under that epoch → ended.
 * So a late record of the closed connection does not count, and the client's next connection, which waits for its turn, begins at the position.
 */
final class ApplicationSeek {
    private static final int LIMIT_SECONDS = 10;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);

    private final ClientId clientId;
    private final LogPosition position;
    private final EventLoop loop;
    private final CompletableFuture<SeekOutcome> answer;
    private final Runnable turnEnded;
    private final RegistrarServices services;
    private final EventLoop.Timer limit;
    private @Nullable PersistentSession acquired;
    private boolean hasTurn;

    /** @param turnEnded runs once after {@link #begin}, when the next request of the client may begin */
    ApplicationSeek(
            ClientId clientId,
            LogPosition position,
            EventLoop loop,
            CompletableFuture<SeekOutcome> answer,
            Runnable turnEnded,
            RegistrarServices services) {
        this.clientId = clientId;
        this.position = position;
        this.loop = loop;
        this.answer = answer;
        this.turnEnded = turnEnded;
        this.services = services;
        this.limit = loop.schedule(
                LIMIT,
                () -> fail(new StoreUnavailableException(
                        "the session was not released, or the stores did not answer in time", null)));
    }

    /** It is the turn of this request. */
    void begin() {
        hasTurn = true;
        if (answer.isDone()) {
            turnEnded.run();
        } else {
            start();
        }
    }

    private void start() {
        if (answer.isDone()) {
            return;
        }
        PersistentSession session = services.persistent().find(clientId);
        if (session == null || session.record().type() != ClientType.APPLICATION) {
            finish(SeekOutcome.Refused.NO_SESSION);
        } else if (services.persistent().acquire(session)) {
            acquired = session;
            move(session);
        } else if (session.isAcquired()) {
            session.onceReleased(this::start);
            SessionRecord record = session.record();
            if (!record.isAway()) {
                services.connected().close(record.owner(), clientId, record.epoch());
            }
        } else {
            // The session has just ended.
            finish(SeekOutcome.Refused.NO_SESSION);
        }
    }

    private void move(PersistentSession session) {
        long epoch = services.persistent().epochs().next();
        services.persistent()
                .takeOver(session, epoch)
                .thenCompose(
                        _ -> services.persistent().applications().seek(clientId, session.generation(), epoch, position))
                .whenComplete((change, failure) -> loop.execute(() -> moved(change, failure)));
    }

    private void moved(@Nullable PositionChange change, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
        } else {
            finish(change == null ? SeekOutcome.Refused.UNFINISHED_QOS2 : new SeekOutcome.Done(change));
        }
    }

    private void fail(Throwable failure) {
        if (answer.completeExceptionally(failure)) {
            end();
        }
    }

    private void finish(SeekOutcome outcome) {
        if (answer.complete(outcome)) {
            end();
        }
    }

    private void end() {
        limit.cancel();
        if (acquired != null) {
            services.persistent().release(acquired);
        }
        if (hasTurn) {
            turnEnded.run();
        }
    }
}
