package io.heddle.core.session.persistent;

import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wills of disconnected persistent sessions, until their delays are over. The wills themselves are in the sessions' records; this class
 * knows when they are due and charges their memory, even without room: an announced will must be published. Thread-safe. Bound: one for
 * each session.
 */
final class WaitingWills {
    private final SessionDeadlines deadlines = new SessionDeadlines();
    private final MemoryBudget memory;

    WaitingWills(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Adds the will of a session's record, if it has one: the will waits from now on. */
    void add(PersistentSession session) {
        WillMessage will = session.record().will();
        if (will != null) {
            charge(will);
            deadlines.add(session, session.record().willDueMillis());
        }
    }

    /** Takes the waiting will of a session, which is the caller's from now on; null when none waits. */
    @Nullable
    WillMessage take(PersistentSession session) {
        WillMessage taken = session.stored().takeWaitingWill();
        if (taken != null) {
            forget(session, taken);
        }
        return taken;
    }

    /** Another node decides about the session: its will stays in its record. */
    void giveUp(PersistentSession session) {
        SessionRecord record = session.record();
        WillMessage will = record.will();
        if (will != null && record.isWillWaiting()) {
            forget(session, will);
        }
    }

    /** Charges the memory of a will that is being published. */
    void charge(WillMessage will) {
        memory.chargePersistent(will.heldBytes());
    }

    /** The publish of a will has ended. */
    void release(WillMessage will) {
        memory.releasePersistent(will.heldBytes());
    }

    /** A waiting will was removed from its session's record. */
    void forget(PersistentSession session, WillMessage will) {
        deadlines.remove(session);
        release(will);
    }

    /**
     * Takes the waiting will of a session if it is due at this time of day; else returns null. A session that was found due may have
     * another will by now, of a connection that came and went meanwhile.
     */
    @Nullable
    WillMessage takeDue(PersistentSession session, long nowMillis) {
        WillMessage taken = session.stored().takeDueWill(nowMillis);
        if (taken != null) {
            forget(session, taken);
        } else if (session.record().isWillWaiting()) {
            deadlines.add(session, session.record().willDueMillis());
        }
        return taken;
    }

    /** Makes a taken will wait until this time of day, unless its client is back. */
    void putBack(PersistentSession session, WillMessage will, long untilMillis) {
        // Charged first, because another thread may take the will as soon as it waits, and return its charge.
        charge(will);
        if (session.stored().putBackWill(will)) {
            deadlines.add(session, untilMillis);
        } else {
            release(will);
        }
    }

    /** A session is about to end: its waiting will is due regardless of its delay [MQTT-3.1.3-9]. */
    void endsAt(PersistentSession session, long atMillis) {
        if (session.record().isWillWaiting()) {
            deadlines.add(session, atMillis);
        }
    }

    /** Takes up to this number of sessions whose wills are due. */
    List<PersistentSession> due(long nowMillis, int maximum) {
        return deadlines.due(nowMillis, maximum);
    }
}
