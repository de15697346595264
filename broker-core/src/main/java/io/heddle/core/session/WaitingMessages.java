package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.micrometer.core.instrument.Counter;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * The messages for a client whose session ends with its connection, that were not sent yet, in their order. Belongs to the
 * connection's event loop. Bounds: {@link QueueLimits}, whose bytes hold once more for what was sent and is not acknowledged, and
 * the node's memory, of which every message that waits has taken its bytes; what does not fit is dropped and counted by reason. A
 * queue that has been long gives its memory back when it is empty.
 */
@HotPath
final class WaitingMessages implements OutboundSource {
    /** A queue that never held more is not worth replacing. */
    private static final int SHORT = 256;

    private final QueueLimits limits;
    private final MemoryBudget memory;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    // Seen by its test.
    ArrayDeque<Outgoing> queue = new ArrayDeque<>(2);
    // The most that it held: it never shrinks.
    private int longest;
    private long bytes;
    // Of those that were taken and are not acknowledged.
    private long takenBytes;
    // How many were taken, which numbers them.
    private long taken;
    // No message that waits expires before this moment.
    private long nextExpiryMillis = PublishMessage.NEVER_EXPIRES;

    WaitingMessages(QueueLimits limits, MemoryBudget memory, SteadyClock clock, SessionMetrics metrics) {
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public long first() {
        return taken;
    }

    @Override
    public long waiting() {
        return queue.size();
    }

    @Override
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** As many bytes may be under way as may wait; one message always may. */
    @Override
    public boolean mayBeTaken() {
        return takenBytes == 0 || takenBytes + queue.element().bytes() <= limits.maximumBytes();
    }

    /** What the messages that wait or are unacknowledged would take if no other session held them. */
    long heldBytes() {
        return bytes + takenBytes;
    }

    /** Whether not even a small message fits. */
    boolean isFull() {
        return queue.size() >= limits.maximumMessages() || bytes >= limits.maximumBytes();
    }

    /**
     * Adds a message that has taken its bytes of the node's memory, or drops it. Without room what has expired gives way first, and then
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
            memory.release(message.message());
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
        memory.release(message.message());
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

    private void shrink() {
        if (longest > SHORT && queue.isEmpty()) {
            queue = new ArrayDeque<>(2);
            longest = 0;
        }
    }

    @Override
    public long sequence() {
        return taken;
    }

    @Override
    public Outgoing message() {
        return queue.element();
    }

    @Override
    public boolean isDuplicate() {
        return false;
    }

    @Override
    public boolean isReceived() {
        return false;
    }

    @Override
    public Outgoing take() {
        Outgoing message = queue.remove();
        taken++;
        takenBytes += message.bytes();
        leave(message);
        shrink();
        return message;
    }

    @Override
    public void letGo(InFlight message) {
        if (message instanceof Outgoing held) {
            takenBytes -= held.bytes();
            memory.release(held.message());
        }
    }

    @Override
    public void acknowledged(long sequence) {
        // Nobody else keeps it.
    }

    @Override
    public void acknowledgedBelow(long lowest) {
        // Nobody else keeps them.
    }

    /** Nothing of it outlives the connection, so there is nothing to wait for. */
    @Override
    public void received(long sequence, InFlight message, Runnable remembered) {
        letGo(message);
        remembered.run();
    }

    /** Lets go of everything, because the session has ended; what nobody takes over is dropped. */
    void clear(Predicate<Outgoing> takenOver) {
        for (Outgoing message = queue.poll(); message != null; message = queue.poll()) {
            leave(message);
            memory.release(message.message());
            if (!takenOver.test(message)) {
                metrics.droppedSessionEnded.increment();
            }
        }
        nextExpiryMillis = PublishMessage.NEVER_EXPIRES;
        shrink();
    }
}
