package io.heddle.core.session.inbound;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.inbound.PendingAcks.PendingAck;
import java.util.ArrayDeque;

/**
 * The messages of one connection that were postponed, because the node may not know all subscriptions, in the order of their arrival. Owned by
 * the connection's event loop. Bound: the limits of {@link InboundPublishes}; charged to the memory of all sessions.
 */
final class PostponedPublishes {
    private final MemoryBudget memory;
    private final ArrayDeque<Postponed> messages = new ArrayDeque<>(0);
    private long bytes;

    private record Postponed(PublishMessage message, PendingAck ack) {}

    PostponedPublishes(MemoryBudget memory) {
        this.memory = memory;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Adds a message; returns false if there is no memory for it. */
    boolean tryAdd(PublishMessage message, PendingAck ack) {
        if (!memory.tryCharge(message.heldBytes(), bytes)) {
            return false;
        }
        bytes += message.heldBytes();
        messages.add(new Postponed(message, ack));
        return true;
    }

    /**
     * Publishes the messages; returns false if one of them is postponed again.
     *
     * @param order of the connection; if it is broken, the client sends all later messages again
     */
    boolean publish(PendingAcks.Sender sender, OrderFence order) {
        for (Postponed first = messages.peek(); first != null; first = messages.peek()) {
            if (order.isBroken()) {
                giveUp();
                return true;
            }
            if (!sender.publish(first.message, first.ack)) {
                return false;
            }
            messages.remove();
            bytes -= first.message.heldBytes();
            memory.release(first.message.heldBytes());
        }
        return true;
    }

    /** The connection ends: the client has no acknowledgement of these messages, and may repeat them. */
    void giveUp() {
        memory.release(bytes);
        bytes = 0;
        for (Postponed each = messages.poll(); each != null; each = messages.poll()) {
            each.ack.onFailed(
                    new StoreUnavailableException("the connection ended before the message was routed", null));
        }
    }
}
