package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Drops what has expired among the messages that wait for one client, so that they do not take memory until it is back. Belongs
 * to the session's event loop and moves with the session. Bound: one timer while something that can expire waits, none
 * otherwise; one walk over the session's queue at most every {@link #PAUSE_MILLIS}.
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

    /** Something that can expire may wait now. */
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

    /** The session has ended, or leaves its event loop. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
