package io.heddle.core.session.persistent;

import io.heddle.core.client.event.ClientEvent.SessionEnd;
import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the persistent sessions that have expired: found on the housekeeping thread, ended on the loops that own them. Has no state. */
final class SessionExpiry {
    private static final Logger log = LoggerFactory.getLogger(SessionExpiry.class);

    private static final long ASK_AGAIN_MILLIS = 1_000;

    private final SessionDeadlines deadlines;
    private final WaitingWills waitingWills;
    private final HeldBuckets held;
    private final SteadyClock clock;
    private final Counter expired;

    /** Watches the sessions with these deadlines and wills. */
    SessionExpiry(
            SessionDeadlines deadlines,
            WaitingWills waitingWills,
            HeldBuckets held,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.deadlines = deadlines;
        this.waitingWills = waitingWills;
        this.held = held;
        this.clock = clock;
        this.expired = metrics.counter("heddle.sessions.expired");
    }

    /**
     * Ends up to this number of expired sessions, each on the loop that owns it. The waiting will of a session is published first.
     *
     * @param sessions acquires and releases a session
     * @param end ends a session that this class has acquired
     */
    void endExpired(int maximum, PersistentSessions sessions, Consumer<PersistentSession> end) {
        for (PersistentSession due : deadlines.due(clock.millis(), maximum)) {
            due.decideInBackground(() -> endExpired(due, sessions, end));
        }
    }

    private void endExpired(PersistentSession due, PersistentSessions sessions, Consumer<PersistentSession> end) {
        if (!held.isHeld(due.bucket())) {
            // The next holder begins the deadline again.
            return;
        }
        long nowMillis = clock.millis();
        if (due.isIdle() && due.stored().isWillUnpublished()) {
            // The session ends after its will is published, because its end removes the will from the log.
            waitingWills.endsAt(due, nowMillis);
            deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
        } else if (due.isIdle() && due.record().isOverAt(nowMillis)) {
            endOrPostpone(due, nowMillis, sessions, end);
        } else if (due.isAcquired() && due.record().isAway()) {
            // Its client is connecting, or a store delays the connection.
            deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
        }
    }

    private void endOrPostpone(
            PersistentSession due, long nowMillis, PersistentSessions sessions, Consumer<PersistentSession> end) {
        if (!sessions.routes().hasRoomForEnded()) {
            deadlines.postpone(due, nowMillis);
        } else if (sessions.acquire(due)) {
            expired.increment();
            if (due.record().expirySeconds() > 0) {
                due.endsBecause(SessionEnd.EXPIRED);
            }
            log.debug("Session expired: clientId={}", due.clientId());
            end.accept(due);
        }
    }
}
