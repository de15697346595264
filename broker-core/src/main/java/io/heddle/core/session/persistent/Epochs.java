package io.heddle.core.session.persistent;

import io.heddle.core.message.SteadyClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chooses the epochs of connections: microseconds of the time of day, but above every epoch that this node has chosen or seen, because
 * clocks jump back and differ between nodes. Thread-safe.
 */
public final class Epochs {
    private static final long MICROS_PER_MILLI = 1_000;

    private final SteadyClock clock;
    private final AtomicLong highest = new AtomicLong();

    Epochs(SteadyClock clock) {
        this.clock = clock;
    }

    /** Returns an epoch above all others. */
    public long next() {
        long now = clock.millis() * MICROS_PER_MILLI;
        return highest.updateAndGet(known -> Math.max(known + 1, now));
    }

    /** Returns the highest epoch that this node has chosen or seen, or 0. */
    long highest() {
        return highest.get();
    }

    /** Records an epoch of a log or of the registry. */
    public void onSeen(long epoch) {
        highest.accumulateAndGet(epoch, Math::max);
    }
}
