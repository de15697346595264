package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryAccount;
import io.micrometer.core.instrument.Counter;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a session has not sent yet, in their order. Belongs to the session's event loop and outlives its connections.
 * Bound: {@link QueueLimits}, and the node's memory, of which every message that waits has taken its bytes; what does not fit is
 * dropped and counted by reason. A queue that has been long gives its memory back when it is empty.
 */
@HotPath
final class WaitingMessages {
    /** A queue that never held more is not worth replacing. */
    private static final int SHORT = 256;

    private final QueueLimits limits;
    private final MemoryAccount memory;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    // Seen by its test.
    ArrayDeque<Outgoing> queue = new ArrayDeque<>(2);
    // The most that it held: it never shrinks.
    private int longest;
    private long bytes;
    // No message that waits expires before this moment.
    private long nextExpiryMillis = PublishMessage.NEVER_EXPIRES;

    WaitingMessages(QueueLimits limits, MemoryAccount memory, SteadyClock clock, SessionMetrics metrics) {
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
        this.metrics = metrics;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Whether not even a small message fits. */
    boolean isFull() {
        return queue.size() >= limits.maximumMessages() || bytes >= limits.maximumBytes();
    }

    /**
     * Adds a message that is on the session's account, or drops it. Without room what has expired gives way first, and then
     * what the policy says.
     */
    void add(Outgoing message) {
        if (!hasRoomFor(message)) {
            dropExpired();
        }
        if (limits.overflow() == QueueLimits.Overflow.DROP_OLDEST) {
            while (!queue.isEmpty() && !hasRoomFor(message)) {
                drop(queue.remove(), metrics.droppedQueueFull);
            }
        }
        if (!hasRoomFor(message)) {
            memory.giveBack(message.bytes());
            metrics.droppedQueueFull.increment();
            return;
        }
        queue.add(message);
        longest = Math.max(longest, queue.size());
        bytes += message.bytes();
        nextExpiryMillis = Math.min(nextExpiryMillis, message.message().expiresAtMillis());
        metrics.queued.increment();
    }

    private boolean hasRoomFor(Outgoing message) {
        return queue.size() < limits.maximumMessages() && bytes + message.bytes() <= limits.maximumBytes();
    }

    private void drop(Outgoing message, Counter reason) {
        leave(message);
        memory.giveBack(message.bytes());
        reason.increment();
    }

    private void leave(Outgoing message) {
        bytes -= message.bytes();
        metrics.queued.decrement();
    }

    /** No message that waits expires before this moment, in milliseconds of the clock. */
    long nextExpiryMillis() {
        return nextExpiryMillis;
    }

    /** Drops every message that has expired. */
    void dropExpired() {
        if (nextExpiryMillis == PublishMessage.NEVER_EXPIRES) {
            return;
        }
        long nowMillis = clock.millis();
        if (nowMillis < nextExpiryMillis) {
            return;
        }
        nextExpiryMillis = PublishMessage.NEVER_EXPIRES;
        // Once round, so that those that stay keep their order and taking one out costs no more than any other step.
        for (int left = queue.size(); left > 0; left--) {
            Outgoing message = queue.remove();
            if (message.message().isExpiredAt(nowMillis)) {
                drop(message, metrics.droppedExpired);
            } else {
                queue.add(message);
                nextExpiryMillis = Math.min(nextExpiryMillis, message.message().expiresAtMillis());
            }
        }
        shrink();
    }

    /** The client has gone: what the sessions of absent clients have no room for together is dropped, in the policy's order. */
    void fitAbsence() {
        if (!memory.isOverdrawn()) {
            return;
        }
        dropExpired();
        while (!queue.isEmpty() && memory.isOverdrawn()) {
            boolean oldest = limits.overflow() == QueueLimits.Overflow.DROP_OLDEST;
            drop(oldest ? queue.remove() : queue.removeLast(), metrics.droppedMemory);
        }
        shrink();
    }

    private void shrink() {
        if (longest > SHORT && queue.isEmpty()) {
            queue = new ArrayDeque<>(2);
            longest = 0;
        }
    }

    /** The first message, or null; its bytes are now the caller's to give back, and whether it has expired is his to see. */
    @Nullable
    Outgoing poll() {
        Outgoing message = queue.poll();
        if (message != null) {
            leave(message);
            shrink();
        }
        return message;
    }

    /** Lets go of everything, because the session has ended; what nobody takes over is dropped. */
    void clear(Predicate<Outgoing> takenOver) {
        for (Outgoing message = queue.poll(); message != null; message = queue.poll()) {
            leave(message);
            memory.giveBack(message.bytes());
            if (!takenOver.test(message)) {
                metrics.droppedSessionEnded.increment();
            }
        }
        nextExpiryMillis = PublishMessage.NEVER_EXPIRES;
        shrink();
    }
}
