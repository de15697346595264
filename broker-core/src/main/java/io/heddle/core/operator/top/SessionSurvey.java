package io.heddle.core.operator.top;

import io.heddle.core.message.SteadyClock;
import io.heddle.core.session.LocalSessions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Looks at all sessions of this node when it is asked, at most every {@value #KEPT_SECONDS} seconds, and compares the waiting messages with those
 * of the look before. Thread-safe.
 */
final class SessionSurvey {
    static final int KEPT_SECONDS = 10;

    private static final long KEPT_MILLIS = Duration.ofSeconds(KEPT_SECONDS).toMillis();
    private static final long COMPARED_MILLIS = Duration.ofMinutes(5).toMillis();

    private final LocalSessions sessions;
    private final SteadyClock clock;
    // Guarded by this.
    private CompletionStage<SessionSizes> latest = CompletableFuture.completedStage(SessionSizes.NONE);
    private long latestMillis = Long.MIN_VALUE / 2;

    SessionSurvey(LocalSessions sessions, SteadyClock clock) {
        this.sessions = sessions;
        this.clock = clock;
    }

    /** Returns the sizes of the sessions, at most {@value #KEPT_SECONDS} seconds old. */
    synchronized CompletionStage<SessionSizes> look() {
        long nowMillis = clock.millis();
        long passed = nowMillis - latestMillis;
        if (passed >= KEPT_MILLIS) {
            // A look that has not ended must not hold up the next one.
            CompletableFuture<SessionSizes> earlier = latest.toCompletableFuture();
            CompletionStage<SessionSizes> before =
                    passed <= COMPARED_MILLIS && earlier.isDone() && !earlier.isCompletedExceptionally()
                            ? earlier
                            : CompletableFuture.completedStage(SessionSizes.NONE);
            latest = SessionWalk.of(sessions, TopSearch.MAXIMUM_LIMIT)
                    .thenCombine(before, (now, found) -> compared(now, found, passed / 1e3));
            latestMillis = nowMillis;
        }
        return latest;
    }

    private static SessionSizes compared(SessionSizes now, SessionSizes before, double seconds) {
        Map<String, Long> waitingBefore = new HashMap<>();
        before.slow().forEach(each -> waitingBefore.put(each.clientId(), each.waiting()));
        List<SlowClient> slow = now.slow().stream()
                .map(each -> {
                    Long earlier = waitingBefore.get(each.clientId());
                    return earlier == null ? each : each.withGrowth((each.waiting() - earlier) / seconds);
                })
                .toList();
        return new SessionSizes(now.subscriptions(), now.waiting(), slow);
    }
}
