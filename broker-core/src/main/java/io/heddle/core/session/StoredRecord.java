package io.heddle.core.session;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.mqtt.packet.WillMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of one persistent session, as it is known here and as it is written. What is known counts at once; it is written
 * when no will of the session is on its way any more, so that until then the log has the record with the will: who is killed in
 * between publishes it twice rather than never.
 *
 * <p>Changed by the session's holder, but for a will that waits, which whoever takes it out first has. Thread-safe: one lock, held
 * for a step or while an append is handed over, which does not block.
 */
final class StoredRecord {
    private static final Logger log = LoggerFactory.getLogger(StoredRecord.class);

    private final ClientId clientId;
    private volatile SessionRecord known;
    // Guarded by this.
    private int willsUnderWay;
    private boolean unwritten;
    private boolean anyLost;
    private boolean over;

    StoredRecord(ClientId clientId, SessionRecord known) {
        this.clientId = clientId;
        this.known = known;
    }

    SessionRecord known() {
        return known;
    }

    /** Says what was known before. */
    synchronized SessionRecord change(SessionRecord changed) {
        SessionRecord before = known;
        known = changed;
        return before;
    }

    /** Takes out the will that waits, or null when none does. */
    synchronized @Nullable WillMessage takeWaitingWill() {
        if (!known.isWillWaiting()) {
            return null;
        }
        WillMessage taken = known.will();
        known = known.withWill(null);
        return taken;
    }

    /** The same if its delay is over at this time of day, or the session's time is. */
    synchronized @Nullable WillMessage takeDueWill(long nowMillis) {
        return known.willDueMillis() <= nowMillis || known.isOverAt(nowMillis) ? takeWaitingWill() : null;
    }

    /** The will waits again: says whether it may, which it may not when its client is back. */
    synchronized boolean putBackWill(WillMessage will) {
        if (over || !known.isAway() || known.will() != null) {
            return false;
        }
        known = known.withWill(will);
        return true;
    }

    /** A will is about to be published, or to be taken from the record and published: from here on nothing is written. */
    synchronized void willLeaves() {
        willsUnderWay++;
    }

    /**
     * A will is where it must survive, or nobody knows.
     *
     * @param safe if not, the log keeps the will for the next start, unless the client has connected since
     */
    synchronized void willArrived(boolean safe, ChangeLog<ClientId, SessionRecord> sessionLog) {
        willsUnderWay--;
        anyLost |= !safe;
        if (willsUnderWay > 0) {
            return;
        }
        boolean writes = unwritten && (!anyLost || !known.isAway());
        unwritten = false;
        anyLost = false;
        if (writes) {
            write(sessionLog);
        }
    }

    /** Whether a will waits or is on its way. */
    synchronized boolean isWillUnpublished() {
        return willsUnderWay > 0 || known.isWillWaiting();
    }

    /** Appends what is known, now or when the wills have arrived. */
    synchronized void write(ChangeLog<ClientId, SessionRecord> sessionLog) {
        if (over) {
            return;
        }
        if (willsUnderWay > 0) {
            unwritten = true;
            return;
        }
        sessionLog.append(clientId, known).whenComplete((_, failure) -> {
            if (failure != null) {
                FailureLog.warn(log, "clientId=" + clientId + ": its session's state could not be written", failure);
            }
        });
    }

    /** The session's end is about to be written: nothing of it is written any more. */
    synchronized void end() {
        over = true;
        unwritten = false;
    }
}
