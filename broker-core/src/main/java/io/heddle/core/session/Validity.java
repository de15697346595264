package io.heddle.core.session;

import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;

/** Ends a connection when the proof of the client's identity expires. Owned by the connection's event loop. Bound: one timer. */
final class Validity {
    /** A timer counts nanoseconds, and a proof may be valid for longer than they can express. */
    private static final Duration LONGEST_TIMER = Duration.ofDays(1);

    private final EventLoop eventLoop;
    private final SteadyClock clock;
    private final Instant end;
    private final BiConsumer<ReasonCode, DisconnectCause> expired;
    private EventLoop.Timer timer;

    /** @param expired ends the connection, with the reason and the cause */
    Validity(EventLoop eventLoop, SteadyClock clock, Instant end, BiConsumer<ReasonCode, DisconnectCause> expired) {
        this.eventLoop = eventLoop;
        this.clock = clock;
        this.end = end;
        this.expired = expired;
        this.timer = schedule(left());
    }

    void stop() {
        timer.cancel();
    }

    private void check() {
        Duration left = left();
        if (left.isPositive()) {
            timer = schedule(left);
        } else {
            ReasonCode reason = ReasonCode.MAXIMUM_CONNECT_TIME;
            expired.accept(reason, DisconnectCause.byServer(reason, null));
        }
    }

    private Duration left() {
        return Duration.between(Instant.ofEpochMilli(clock.millis()), end);
    }

    private EventLoop.Timer schedule(Duration left) {
        Duration delay = left.compareTo(LONGEST_TIMER) < 0 ? left : LONGEST_TIMER;
        return eventLoop.schedule(delay.isPositive() ? delay : Duration.ZERO, this::check);
    }
}
