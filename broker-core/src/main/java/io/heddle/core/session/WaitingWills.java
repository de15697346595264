package io.heddle.core.session;

import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wills of persistent sessions whose clients are away, until their delays are over. The wills themselves are in the sessions'
 * records; this knows when they are due, and what they hold is charged here, whether there is room or not: what was announced must
 * be published. Thread-safe. Bound: one for each session.
 */
final class WaitingWills {
    private final SessionDeadlines deadlines = new SessionDeadlines();
    private final MemoryBudget memory;

    WaitingWills(MemoryBudget memory) {
        this.memory = memory;
    }

    /** A session's record has a will that waits from now on. */
    void add(PersistentSession session) {
        WillMessage will = session.record().will();
        if (will != null) {
            memory.takeLasting(will.heldBytes());
            deadlines.add(session, session.record().willDueMillis());
        }
    }

    /** The will of a session that waits, which is the caller's from now on; null when none waits. */
    @Nullable
    WillMessage take(PersistentSession session) {
        WillMessage taken = session.stored().takeWaitingWill();
        if (taken != null) {
            forget(session, taken);
        }
        return taken;
    }

    /** A will that waited is no longer in its session's record. */
    void forget(PersistentSession session, WillMessage will) {
        deadlines.remove(session);
        memory.giveBackLasting(will.heldBytes());
    }

    /**
     * The same if the will is due at this time of day. A session that was found due may have another will by now, that of a
     * connection that came and went meanwhile.
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

    /** A will that was taken waits until this time of day, unless its client is back. */
    void putBack(PersistentSession session, WillMessage will, long untilMillis) {
        // Charged before anybody else can take it and give that back.
        memory.takeLasting(will.heldBytes());
        if (session.stored().putBackWill(will)) {
            deadlines.add(session, untilMillis);
        } else {
            memory.giveBackLasting(will.heldBytes());
        }
    }

    /** A session is about to end: a will that waits is due, whatever its delay [MQTT-3.1.3-9]. */
    void endsAt(PersistentSession session, long atMillis) {
        if (session.record().isWillWaiting()) {
            deadlines.add(session, atMillis);
        }
    }

    /** The sessions whose wills are due, at most so many. */
    List<PersistentSession> due(long nowMillis, int maximum) {
        return deadlines.due(nowMillis, maximum);
    }
}
