package io.heddle.core.session.outbound;

import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Drops expired messages that wait in memory for a client, even if the client takes none. Owned by the session's event loop. Bound: one
 * timer while a message that can expire waits, none otherwise; one pass over the queue at most every {@link #PAUSE_MILLIS}.
 */
final class ExpirySweep {
    private static final long PAUSE_MILLIS = 5_000;

    private final WaitingMessages waiting;
    private final SteadyClock clock;
    private EventLoop.@Nullable Timer timer;

    ExpirySweep(WaitingMessages waiting, SteadyClock clock) {
        this.waiting = waiting;
        this.clock = clock;
    }

    /** Schedules the next pass, unless it is scheduled or no waiting message can expire. */
    void arrange(EventLoop eventLoop) {
        long nextMillis = waiting.nextExpiryMillis();
        if (timer != null || nextMillis == PublishMessage.NEVER_EXPIRES) {
            return;
        }
        long delayMillis = Math.max(PAUSE_MILLIS, nextMillis - clock.millis());
        timer = eventLoop.schedule(Duration.ofMillis(delayMillis), () -> sweep(eventLoop));
    }

    private void sweep(EventLoop eventLoop) {
        timer = null;
        waiting.dropExpired();
        arrange(eventLoop);
    }

    /** The session has ended. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
