package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The unsent messages for a client whose session ends with its connection, in their order. Owned by the connection's event loop.
 *
 * <p>Bounds: {@link QueueLimits}, whose limit in bytes applies to the waiting messages and again to the unacknowledged ones, and the node's
 * memory, to which every message is charged before it is added. A message that does not fit is dropped and counted by reason. A queue that
 * was long releases its array when it becomes empty.
 */
@HotPath
final class WaitingMessages implements OutboundQueue {
    /** A queue that never held more messages keeps its array. */
    private static final int SHORT = 256;

    private final ClientId clientId;
    private final QueueLimits limits;
    private final MemoryBudget memory;
    private final SteadyClock clock;
    private final Drops drops;
    private final SessionMetrics metrics;
    private final LoopLedger ledger;
    // Visible for its test.
    ArrayDeque<HeldMessage> queue = new ArrayDeque<>(2);
    // The most messages that the array held: the array never shrinks.
    private int longest;
    private long bytes;
    // Bytes of the messages that were taken and are not acknowledged.
    private long takenBytes;
    // Number of messages taken, which is the sequence number of the next one.
    private long taken;
    // No waiting message expires before this moment.
    private long nextExpiryMillis = PublishMessage.NEVER_EXPIRES;

    WaitingMessages(
            ClientId clientId,
            QueueLimits limits,
            MemoryBudget memory,
            SteadyClock clock,
            Drops drops,
            SessionMetrics metrics,
            LoopLedger ledger) {
        this.clientId = clientId;
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
        this.drops = drops;
        this.metrics = metrics;
        this.ledger = ledger;
    }

    @Override
    public void begin() {
        // Messages are added, not read.
    }

    @Override
    public long first() {
        return taken;
    }

    @Override
    public long waiting() {
        return queue.size();
    }

    /** No earlier connection has sent any of these messages. */
    @Override
    public long duplicatesUpTo() {
        return -1;
    }

    /** The limit in bytes applies to the messages in flight, but one message may always be in flight. */
    @Override
    public boolean canTake() {
        return takenBytes == 0 || takenBytes + queue.element().bytes() <= limits.maximumBytes();
    }

    /** The bytes of all waiting and unacknowledged messages, as if no other session held them. */
    long heldBytes() {
        return bytes + takenBytes;
    }

    /** Returns whether not even a small message fits. */
    boolean isFull() {
        return queue.size() >= limits.maximumMessages() || bytes >= limits.maximumBytes();
    }

    /**
     * Adds a message that is charged to the node's memory, or drops it. When the queue is full, expired messages are dropped first; then
     * the overflow policy decides.
     */
    void add(HeldMessage message) {
        if (!hasRoomFor(message)) {
            dropExpired();
        }
        if (limits.overflow() == QueueLimits.Overflow.DROP_OLDEST) {
            while (!queue.isEmpty() && !hasRoomFor(message)) {
                logDrop();
                drop(queue.remove(), metrics.droppedQueueFull);
            }
        }
        if (!hasRoomFor(message)) {
            memory.release(message.message());
            drops.add(metrics.droppedQueueFull, message.qos(), message.message());
            logDrop();
            return;
        }
        queue.add(message);
        longest = Math.max(longest, queue.size());
        bytes += message.bytes();
        nextExpiryMillis = Math.min(nextExpiryMillis, message.message().expiresAtMillis());
        ledger.waiting(1);
    }

    private void logDrop() {
        metrics.incidents().overflowed(limits.exceeded(queue.size()), "a message in a full queue", clientId);
    }

    /** The charge of a large message exceeds its size, which must not keep the largest packet from an empty queue. */
    private boolean hasRoomFor(HeldMessage message) {
        long limit = limits.maximumBytes();
        return queue.size() < limits.maximumMessages()
                && (bytes + message.bytes() <= limit
                        || (queue.isEmpty() && message.message().bytes() <= limit));
    }

    private void drop(HeldMessage message, DropReason reason) {
        uncount(message);
        memory.release(message.message());
        drops.add(reason, message.qos(), message.message());
    }

    /** Returns the bytes of the waiting messages, as if no other session held them. */
    long waitingBytes() {
        return bytes;
    }

    private void uncount(HeldMessage message) {
        bytes -= message.bytes();
        ledger.waiting(-1);
    }

    /** No waiting message expires before this moment, in milliseconds of the clock. */
    long nextExpiryMillis() {
        return nextExpiryMillis;
    }

    /** Drops every expired message. */
    void dropExpired() {
        if (nextExpiryMillis == PublishMessage.NEVER_EXPIRES) {
            return;
        }
        long nowMillis = clock.millis();
        if (nowMillis < nextExpiryMillis) {
            return;
        }
        nextExpiryMillis = PublishMessage.NEVER_EXPIRES;
        // One rotation of the queue keeps the order and removes each message in constant time.
        for (int left = queue.size(); left > 0; left--) {
            HeldMessage message = queue.remove();
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
    public @Nullable HeldMessage peek() {
        return queue.peek();
    }

    @Override
    public HeldMessage take() {
        HeldMessage message = queue.remove();
        taken++;
        takenBytes += message.bytes();
        uncount(message);
        shrink();
        return message;
    }

    @Override
    public void release(InFlight message) {
        if (message instanceof HeldMessage held) {
            takenBytes -= held.bytes();
            memory.release(held.message());
        }
    }

    @Override
    public void acknowledged(long sequence) {
        // No store keeps the message.
    }

    @Override
    public void acknowledgedBelow(long lowest) {
        // No store keeps the messages.
    }

    /** The session ends with the connection, so the PUBREC need not be stored. */
    @Override
    public void received(long sequence, InFlight message, Runnable remembered) {
        release(message);
        remembered.run();
    }

    @Override
    public void end() {
        // The session ends with the connection: clear() follows.
    }

    /** Releases all messages and passes them on, because the session has ended. */
    void clear(Consumer<HeldMessage> passOn) {
        for (HeldMessage message = queue.poll(); message != null; message = queue.poll()) {
            uncount(message);
            memory.release(message.message());
            passOn.accept(message);
        }
        nextExpiryMillis = PublishMessage.NEVER_EXPIRES;
        shrink();
    }
}
