package io.heddle.core.session.persistent;

import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the persistent sessions that have expired. Runs on the housekeeping thread; has no state. */
final class SessionExpiry {
    private static final Logger log = LoggerFactory.getLogger(SessionExpiry.class);

    private static final long ASK_AGAIN_MILLIS = 1_000;

    private final SessionDeadlines deadlines;
    private final WaitingWills waitingWills;
    private final SteadyClock clock;
    private final Counter expired;

    /** Watches the sessions with these deadlines and wills. */
    SessionExpiry(SessionDeadlines deadlines, WaitingWills waitingWills, SteadyClock clock, MeterRegistry metrics) {
        this.deadlines = deadlines;
        this.waitingWills = waitingWills;
        this.clock = clock;
        this.expired = metrics.counter("heddle.sessions.expired");
    }

    /**
     * Ends up to this number of expired sessions and returns them. The waiting will of a session is published first.
     *
     * @param sessions acquires and releases a session
     * @param end ends a session that this method has acquired; completes when that is durable
     */
    List<PersistentSession> endExpired(
            int maximum, PersistentSessions sessions, Function<PersistentSession, CompletionStage<Void>> end) {
        List<PersistentSession> ended = new ArrayList<>();
        long nowMillis = clock.millis();
        for (PersistentSession due : deadlines.due(nowMillis, maximum)) {
            if (due.isIdle() && due.stored().isWillUnpublished()) {
                // The session ends after its will is published, because its end removes the will from the log.
                waitingWills.endsAt(due, nowMillis);
                deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
            } else if (sessions.acquire(due)) {
                if (!due.record().isOverAt(nowMillis) || due.stored().isWillUnpublished()) {
                    // Its client has connected and disconnected since the deadline was read.
                    sessions.release(due);
                    continue;
                }
                expired.increment();
                log.debug("Session expired: clientId={}", due.clientId());
                var _ = end.apply(due);
                ended.add(due);
            } else if (due.isAcquired() && due.record().isAway()) {
                // Its client is connecting, or a store delays the connection.
                deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
            }
        }
        return ended;
    }
}
