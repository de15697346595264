package io.heddle.transport.link;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The unacknowledged bytes of some lanes to one member. Thread-safe. Bound: a maximum; a frame that exceeds it is accepted while no other
 * one is unacknowledged. So a frame of any size passes in the end.
 */
final class SendBudget {
    /** About the bytes in memory of a frame without payload. */
    static final int FRAME_OVERHEAD = 64;

    private final long maximum;
    private final AtomicLong used = new AtomicLong();

    SendBudget(long maximum) {
        this.maximum = maximum;
    }

    boolean tryTake(long bytes) {
        long before = used.get();
        while (isEnoughFor(before, bytes)) {
            long now = used.compareAndExchange(before, before + bytes);
            if (now == before) {
                return true;
            }
            before = now;
        }
        return false;
    }

    boolean hasRoomFor(long bytes) {
        return isEnoughFor(used.get(), bytes);
    }

    private boolean isEnoughFor(long before, long bytes) {
        return before == 0 || before + bytes <= maximum;
    }

    void free(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }
}
