package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens while a client is away: its will is published after the Will Delay Interval, its session ends after the Session
 * Expiry Interval. Belongs to the session's event loop.
 */
final class Absence {
    /** An interval that never passes [MQTT 5.0, section 3.1.2.11.2]. */
    static final long FOREVER_SECONDS = 4_294_967_295L;

    private EventLoop.@Nullable Timer will;
    private EventLoop.@Nullable Timer expiry;

    /**
     * The client has gone.
     *
     * @param willDue publishes the will, or null when there is none or it is published already
     * @param expired ends the session
     */
    Absence(
            EventLoop eventLoop,
            long willDelaySeconds,
            @Nullable Runnable willDue,
            long expirySeconds,
            Runnable expired) {
        if (willDue != null) {
            will = eventLoop.schedule(Duration.ofSeconds(willDelaySeconds), willDue);
        }
        if (expirySeconds != FOREVER_SECONDS) {
            expiry = eventLoop.schedule(Duration.ofSeconds(expirySeconds), expired);
        }
    }

    /** The client is back, or the session has ended. */
    void end() {
        if (will != null) {
            will.cancel();
        }
        if (expiry != null) {
            expiry.cancel();
        }
    }
}
