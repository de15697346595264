package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches that a client sends something within one and a half times its Keep Alive [MQTT-3.1.2-22]. Belongs to the session's
 * event loop. A packet only notes the time; one timer at a time looks at it. While the client is not read, it is not expected to be
 * heard.
 */
final class KeepAlive {
    private final EventLoop eventLoop;
    private final long limitNanos;
    private final BooleanSupplier paused;
    private final Runnable expired;
    private long lastReceivedNanos;
    private EventLoop.@Nullable Timer timer;

    /**
     * A watch, not yet running.
     *
     * @param seconds more than zero
     * @param paused whether the client is not read at this moment
     */
    KeepAlive(EventLoop eventLoop, int seconds, BooleanSupplier paused, Runnable expired) {
        this.eventLoop = eventLoop;
        this.limitNanos = Duration.ofMillis(seconds * 1_500L).toNanos();
        this.paused = paused;
        this.expired = expired;
    }

    void start() {
        lastReceivedNanos = eventLoop.nanoTime();
        timer = eventLoop.schedule(Duration.ofNanos(limitNanos), this::look);
    }

    void packetReceived() {
        lastReceivedNanos = eventLoop.nanoTime();
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void look() {
        if (timer == null) {
            return;
        }
        if (paused.getAsBoolean()) {
            packetReceived();
        }
        long silentNanos = eventLoop.nanoTime() - lastReceivedNanos;
        if (silentNanos >= limitNanos) {
            timer = null;
            expired.run();
        } else {
            timer = eventLoop.schedule(Duration.ofNanos(limitNanos - silentNanos), this::look);
        }
    }
}
