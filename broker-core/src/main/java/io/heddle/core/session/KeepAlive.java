package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Expires when a client has sent no packet within one and a half times its Keep Alive [MQTT-3.1.2-22]. Owned by the session's event loop. A
 * packet only notes the time; one timer at a time checks it. An excused client is not expected to send.
 */
final class KeepAlive {
    private final EventLoop eventLoop;
    private final long limitNanos;
    private final BooleanSupplier excused;
    private final Runnable expired;
    private long lastReceivedNanos;
    private EventLoop.@Nullable Timer timer;

    /**
     * A keep alive that is not running.
     *
     * @param seconds more than zero
     * @param excused whether the client's silence is acceptable at this moment
     */
    KeepAlive(EventLoop eventLoop, int seconds, BooleanSupplier excused, Runnable expired) {
        this.eventLoop = eventLoop;
        this.limitNanos = Duration.ofMillis(seconds * 1_500L).toNanos();
        this.excused = excused;
        this.expired = expired;
    }

    /** Starts the timer, unless it runs already. */
    void start() {
        if (timer != null) {
            return;
        }
        lastReceivedNanos = eventLoop.nanoTime();
        timer = eventLoop.schedule(Duration.ofNanos(limitNanos), this::check);
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

    private void check() {
        if (timer == null) {
            return;
        }
        if (excused.getAsBoolean()) {
            packetReceived();
        }
        long silentNanos = eventLoop.nanoTime() - lastReceivedNanos;
        if (silentNanos >= limitNanos) {
            timer = null;
            expired.run();
        } else {
            timer = eventLoop.schedule(Duration.ofNanos(limitNanos - silentNanos), this::check);
        }
    }
}
