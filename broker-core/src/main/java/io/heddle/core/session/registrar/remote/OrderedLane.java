package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * A lane that queues frames while it has no room, and keeps their order. Thread-safe: one lock, for one step or while frames are handed to
 * the lane, which does not block. Bound: the callers limit the frames that must be sent.
 */
final class OrderedLane {
    static final Duration SEND_AGAIN = Duration.ofMillis(100);

    private final Predicate<byte[]> lane;
    private final EventLoop timers;
    // Guarded by this.
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(1);
    private boolean ended;

    /** @param lane sends a frame, or returns false if it has no room */
    OrderedLane(Predicate<byte[]> lane, EventLoop timers) {
        this.lane = lane;
        this.timers = timers;
    }

    /** Sends a frame, or returns false if the lane has no room for it now. */
    synchronized boolean trySend(byte[] frame) {
        return !ended && waiting.isEmpty() && lane.test(frame);
    }

    /** Sends a frame, now or when the lane has room; drops it if the other node has ended. */
    synchronized void send(byte[] frame) {
        if (!ended && (!waiting.isEmpty() || !lane.test(frame))) {
            waiting.add(frame);
            if (waiting.size() == 1) {
                timers.schedule(SEND_AGAIN, this::sendWaiting);
            }
        }
    }

    private synchronized void sendWaiting() {
        for (byte[] next = waiting.peek(); next != null; next = waiting.peek()) {
            if (!lane.test(next)) {
                timers.schedule(SEND_AGAIN, this::sendWaiting);
                return;
            }
            waiting.remove();
        }
    }

    /** The other node has ended: nothing is sent any more. */
    synchronized void end() {
        ended = true;
        waiting.clear();
    }
}
