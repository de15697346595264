package io.heddle.core.session.persistent;

import io.heddle.core.FailureLog;
import io.heddle.core.Stages;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.packet.WillMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of one persistent session, in memory and in the log. A change takes effect in memory at once.
 *
 * <p>While a will of the session is being published, no record is written alone: the commit of the will contains the record without the
 * will. The log keeps the record with the will until then, so that another node publishes the will if this one is killed. The commit of a
 * will begins when the outcome of all earlier writes is known, because it uses other producers than they do and could overtake them.
 *
 * <p>Changed by the session's holder, except for a waiting will, which belongs to the first thread that takes it. Thread-safe: one lock,
 * held for a step or while a commit is handed over, which does not block.
 */
final class SessionStateWriter {
    private static final Logger log = LoggerFactory.getLogger(SessionStateWriter.class);

    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);

    private final ClientId clientId;
    private final int bucket;
    private volatile SessionRecord known;
    // Guarded by this.
    private int willsBeingPublished;
    // The record that the latest will was committed with; null when no will is being published.
    private @Nullable SessionRecord committedWithWill;
    private int writesInFlight;
    // Whether the write that ended last has failed.
    private boolean lastWriteFailed;
    // Completes when no write is in flight; null when no caller waits for that.
    private @Nullable CompletableFuture<Void> noneInFlight;
    private boolean ended;
    // Completes when a write that waits for wills is durable; null when none waits.
    private @Nullable CompletableFuture<Void> postponed;
    // Completes when no will is being published; null when no caller waits for that.
    private @Nullable CompletableFuture<Void> noneBeingPublished;

    SessionStateWriter(ClientId clientId, int bucket, SessionRecord known) {
        this.clientId = clientId;
        this.bucket = bucket;
        this.known = known;
    }

    SessionRecord known() {
        return known;
    }

    /** Changes the record and returns the previous one. */
    synchronized SessionRecord change(SessionRecord changed) {
        SessionRecord before = known;
        known = changed;
        return before;
    }

    /** Takes the waiting will out of the record, or returns null when none waits. */
    synchronized @Nullable WillMessage takeWaitingWill() {
        if (!known.isWillWaiting()) {
            return null;
        }
        WillMessage taken = known.will();
        known = known.withWill(null);
        return taken;
    }

    /** Takes the waiting will if its delay or the session's time is over at this time of day; else returns null. */
    synchronized @Nullable WillMessage takeDueWill(long nowMillis) {
        return known.willDueMillis() <= nowMillis || known.isOverAt(nowMillis) ? takeWaitingWill() : null;
    }

    /** Makes a taken will wait again; false when it must not because its client is back. */
    synchronized boolean putBackWill(WillMessage will) {
        if (ended || !known.isAway() || known.will() != null) {
            return false;
        }
        known = known.withWill(will);
        return true;
    }

    /** Begins the publish of a will, possibly of the waiting one: no record is written alone before {@link #endWillPublish}. */
    synchronized void beginWillPublish() {
        willsBeingPublished++;
    }

    /** Returns whether the outcome of a write is unknown. While a will is being published, no other write begins. */
    synchronized boolean isWriteInFlight() {
        return writesInFlight > 0;
    }

    /** Returns whether the log is known to contain the record in memory. Always false while a will is being published. */
    synchronized boolean isDurable() {
        return writesInFlight == 0 && willsBeingPublished == 0 && !lastWriteFailed;
    }

    /** Completes when the outcome of all writes is known, possibly under the lock: a dependent action must not block. */
    synchronized CompletionStage<Void> whenWritten() {
        if (writesInFlight == 0) {
            return NOTHING_TO_WAIT_FOR;
        }
        CompletableFuture<Void> waiting = noneInFlight;
        if (waiting == null) {
            waiting = new CompletableFuture<>();
            noneInFlight = waiting;
        }
        return waiting;
    }

    /** Returns the change to commit together with a will, or null when the session has ended. Only while a will is being published. */
    synchronized ClientChange.@Nullable OfSession changeWithWill() {
        return ended ? null : new ClientChange.OfSession(clientId, known);
    }

    /** A will and this change are durable. Before {@link #endWillPublish}. */
    synchronized void onCommittedWithWill(ClientChange.OfSession change) {
        committedWithWill = change.session();
    }

    /** Ends the publish of a will: it is durable, or it waits again. Writes the record if it has changed since it was committed. */
    synchronized void endWillPublish(ClientLog clientLog) {
        willsBeingPublished--;
        if (willsBeingPublished > 0) {
            return;
        }
        CompletableFuture<Void> waiting = postponed;
        boolean isWritten = known.equals(committedWithWill);
        postponed = null;
        committedWithWill = null;
        lastWriteFailed &= !isWritten;
        if (waiting != null && isWritten) {
            waiting.complete(null);
        } else if (waiting != null) {
            Stages.forward(write(clientLog), waiting);
        }
        CompletableFuture<Void> finished = noneBeingPublished;
        noneBeingPublished = null;
        if (finished != null) {
            finished.complete(null);
        }
    }

    /** Completes when no will of the session is being published, under the lock: a dependent action must not block. */
    synchronized CompletionStage<Void> whenWillsPublished() {
        if (willsBeingPublished == 0) {
            return NOTHING_TO_WAIT_FOR;
        }
        CompletableFuture<Void> waiting = noneBeingPublished;
        if (waiting == null) {
            waiting = new CompletableFuture<>();
            noneBeingPublished = waiting;
        }
        return waiting;
    }

    /** Returns whether a will waits or is being published. */
    synchronized boolean isWillUnpublished() {
        return willsBeingPublished > 0 || known.isWillWaiting();
    }

    /**
     * Commits the record, now or when no will is being published.
     *
     * @return completes when the record, or a later one, is durable; or, under the lock, when it will never be written because the session
     *     has ended
     */
    synchronized CompletionStage<Void> write(ClientLog clientLog) {
        if (ended) {
            return NOTHING_TO_WAIT_FOR;
        }
        if (willsBeingPublished > 0) {
            CompletableFuture<Void> waiting = postponed;
            if (waiting == null) {
                waiting = new CompletableFuture<>();
                postponed = waiting;
            }
            return waiting;
        }
        CompletionStage<Void> committed = commit(clientLog);
        committed.whenComplete((_, failure) -> {
            if (failure != null) {
                FailureLog.warn(
                        log,
                        "Could not commit the record of a session to heddle.clients; the commit is retried: clientId="
                                + clientId,
                        failure);
            }
        });
        return committed;
    }

    /** Commits the first record of a session; completes when it is durable. A failed commit is not retried. */
    synchronized CompletionStage<Void> writeFirst(ClientLog clientLog) {
        return commit(clientLog);
    }

    private CompletionStage<Void> commit(ClientLog clientLog) {
        writesInFlight++;
        CompletionStage<Void> committed = clientLog
                .commit(bucket, List.of(new ClientChange.OfSession(clientId, known)))
                .thenAccept(_ -> {});
        committed.whenComplete((_, failure) -> onWriteEnded(failure != null));
        return committed;
    }

    private synchronized void onWriteEnded(boolean isFailed) {
        writesInFlight--;
        lastWriteFailed = isFailed;
        CompletableFuture<Void> waiting = noneInFlight;
        if (writesInFlight == 0 && waiting != null) {
            noneInFlight = null;
            waiting.complete(null);
        }
    }

    /** The session's end is about to be written: no record is written any more. */
    synchronized void end() {
        ended = true;
        CompletableFuture<Void> waiting = postponed;
        postponed = null;
        if (waiting != null) {
            waiting.complete(null);
        }
    }
}
