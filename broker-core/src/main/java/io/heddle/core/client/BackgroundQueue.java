package io.heddle.core.client;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Round-robin queue for the background work of one event loop: each item runs one step and returns to the end of the queue. Owned
 * by the loop.
 *
 * <p>Bound: a slice of {@value #SLICE_MICROS} microseconds plus one step, followed by a pause of the same length for the loop's
 * connections. Background work therefore takes at most half of the loop's time.
 */
public final class BackgroundQueue {
    private static final int SLICE_MICROS = 1_000;
    private static final long SLICE_NANOS = SLICE_MICROS * 1_000L;

    private final EventLoop eventLoop;
    private final ArrayDeque<BackgroundWork> queue = new ArrayDeque<>(0);
    private boolean scheduled;

    public BackgroundQueue(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    public void add(BackgroundWork work) {
        eventLoop.assertCurrent();
        queue.add(work);
        schedule(0);
    }

    private void schedule(long delayNanos) {
        if (!scheduled) {
            scheduled = true;
            eventLoop.schedule(Duration.ofNanos(delayNanos), this::runSlice);
        }
    }

    private void runSlice() {
        long begin = eventLoop.nanoTime();
        long elapsedNanos = 0;
        try {
            for (BackgroundWork work = queue.poll(); work != null; work = queue.poll()) {
                // Work that throws has left the queue, so a bug in it does not stop the other work.
                if (work.step()) {
                    queue.add(work);
                }
                elapsedNanos = eventLoop.nanoTime() - begin;
                if (elapsedNanos >= SLICE_NANOS) {
                    break;
                }
            }
        } finally {
            scheduled = false;
            if (!queue.isEmpty()) {
                schedule(elapsedNanos);
            }
        }
    }
}
