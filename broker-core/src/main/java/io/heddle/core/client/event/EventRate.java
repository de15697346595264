package io.heddle.core.client.event;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Allows a number of events a second, and counts the others. Thread-safe. An event above the rate takes no lock. */
public final class EventRate {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int maximum;
    // The end of the second in which the rate is reached.
    private volatile long fullUntilNanos;
    private final LongAdder suppressed = new LongAdder();
    // Guarded by this.
    private long secondNanos;
    private int inSecond;

    /**
     * Allows events from now on.
     *
     * @param maximum events a second
     * @param nowNanos of the monotonic clock
     */
    public EventRate(int maximum, long nowNanos) {
        this.maximum = maximum;
        this.fullUntilNanos = nowNanos;
        this.secondNanos = nowNanos;
    }

    public boolean tryTake(long nowNanos) {
        boolean isTaken = nowNanos - fullUntilNanos >= 0 && takeWithinSecond(nowNanos);
        if (!isTaken) {
            suppressed.increment();
        }
        return isTaken;
    }

    private synchronized boolean takeWithinSecond(long nowNanos) {
        if (nowNanos - secondNanos >= SECOND_NANOS) {
            secondNanos = nowNanos;
            inSecond = 0;
        }
        if (inSecond == maximum) {
            fullUntilNanos = secondNanos + SECOND_NANOS;
            return false;
        }
        inSecond++;
        return true;
    }

    /** Returns the number of events that were above the rate. */
    public long suppressed() {
        return suppressed.sum();
    }
}
