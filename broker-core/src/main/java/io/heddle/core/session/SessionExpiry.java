package io.heddle.core.session;

import io.heddle.core.FailureLog;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the persistent sessions that have expired. Runs on the housekeeping thread; holds nothing itself. */
final class SessionExpiry {
    private static final Logger log = LoggerFactory.getLogger(SessionExpiry.class);

    private static final long ASK_AGAIN_MILLIS = 1_000;

    private final SessionDeadlines deadlines;
    private final WaitingWills waitingWills;
    private final SteadyClock clock;
    private final Counter expired;

    /** Of the sessions with these deadlines and wills. */
    SessionExpiry(SessionDeadlines deadlines, WaitingWills waitingWills, SteadyClock clock, MeterRegistry metrics) {
        this.deadlines = deadlines;
        this.waitingWills = waitingWills;
        this.clock = clock;
        this.expired = metrics.counter("heddle.sessions.expired");
    }

    /**
     * Ends expired sessions, at most so many, and returns them. A will that waits is due before.
     *
     * @param sessions that hold and free one
     * @param end ends one that this method holds; completes when that is durable
     */
    List<PersistentSession> endExpired(
            int maximum, PersistentSessions sessions, Function<PersistentSession, CompletionStage<Void>> end) {
        List<PersistentSession> ended = new ArrayList<>();
        long nowMillis = clock.millis();
        for (PersistentSession due : deadlines.due(nowMillis, maximum)) {
            if (due.isFree() && due.stored().isWillUnpublished()) {
                // Not before its will has arrived: then nothing says any more that there was one.
                waitingWills.endsAt(due, nowMillis);
                deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
            } else if (sessions.hold(due)) {
                if (!due.record().isOverAt(nowMillis) || due.stored().isWillUnpublished()) {
                    // Its client has come and gone since it was found.
                    sessions.leave(due);
                    continue;
                }
                expired.increment();
                log.debug("clientId={} has not come back: its session has expired", due.clientId());
                end.apply(due).whenComplete((_, failure) -> {
                    if (failure != null) {
                        FailureLog.warn(
                                log,
                                "clientId=" + due.clientId() + ": the end of its session could not be written",
                                failure);
                    }
                });
                ended.add(due);
            } else if (due.isHeld() && due.record().isAway()) {
                // Its client is about to come back, or does not manage to.
                deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
            }
        }
        return ended;
    }
}
