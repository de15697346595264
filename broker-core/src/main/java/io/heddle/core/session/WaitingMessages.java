package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a session has not sent yet, in their order. Belongs to the session's event loop and outlives its connections.
 * Bound: {@link QueueLimits}, and the node's memory budget, from which every message that waits has taken its bytes; what does
 * not fit is dropped and counted by reason.
 */
@HotPath
final class WaitingMessages {
    private final QueueLimits limits;
    private final MemoryBudget budget;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>(2);
    private long bytes;
    // No message that waits expires before this moment.
    private long nextExpiryMillis = PublishMessage.NEVER_EXPIRES;

    WaitingMessages(QueueLimits limits, MemoryBudget budget, SteadyClock clock, SessionMetrics metrics) {
        this.limits = limits;
        this.budget = budget;
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
     * Adds a message that has taken its bytes from the budget, or drops it. Without room what has expired gives way first, and
     * then what the policy says.
     */
    void add(Outgoing message) {
        if (!hasRoomFor(message)) {
            dropExpired();
        }
        if (limits.overflow() == QueueLimits.Overflow.DROP_OLDEST) {
            while (!queue.isEmpty() && !hasRoomFor(message)) {
                drop(queue.remove());
            }
        }
        if (!hasRoomFor(message)) {
            budget.giveBack(message.bytes());
            metrics.droppedQueueFull.increment();
            return;
        }
        queue.add(message);
        bytes += message.bytes();
        nextExpiryMillis = Math.min(nextExpiryMillis, message.message().expiresAtMillis());
        metrics.queued.increment();
    }

    private boolean hasRoomFor(Outgoing message) {
        return queue.size() < limits.maximumMessages() && bytes + message.bytes() <= limits.maximumBytes();
    }

    private void drop(Outgoing message) {
        leave(message);
        budget.giveBack(message.bytes());
        metrics.droppedQueueFull.increment();
    }

    private void leave(Outgoing message) {
        bytes -= message.bytes();
        metrics.queued.decrement();
    }

    private void dropExpired() {
        if (nextExpiryMillis == PublishMessage.NEVER_EXPIRES) {
            return;
        }
        long nowMillis = clock.millis();
        if (nowMillis < nextExpiryMillis) {
            return;
        }
        nextExpiryMillis = PublishMessage.NEVER_EXPIRES;
        for (Iterator<Outgoing> each = queue.iterator(); each.hasNext(); ) {
            Outgoing message = each.next();
            if (message.message().isExpiredAt(nowMillis)) {
                each.remove();
                leave(message);
                budget.giveBack(message.bytes());
                metrics.droppedExpired.increment();
            } else {
                nextExpiryMillis = Math.min(nextExpiryMillis, message.message().expiresAtMillis());
            }
        }
    }

    /** The first message, or null; its bytes are now the caller's to give back, and whether it has expired is his to see. */
    @Nullable
    Outgoing poll() {
        Outgoing message = queue.poll();
        if (message != null) {
            leave(message);
        }
        return message;
    }

    /** Lets go of everything, because the session has ended; what nobody takes over is dropped. */
    void clear(SharedRedelivery others) {
        for (Outgoing message = queue.poll(); message != null; message = queue.poll()) {
            leave(message);
            budget.giveBack(message.bytes());
            if (!others.takeOver(message)) {
                metrics.droppedSessionEnded.increment();
            }
        }
    }
}
