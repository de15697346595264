package io.heddle.core.delivery.node;

import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.RemoteNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages on one data lane to one node, until that node has confirmed them. Thread-safe: one lock, held for a step or while a frame is
 * handed to the link, which does not block.
 *
 * <p>Bound: a message that needs no receipt is dropped when the link has no room. One that needs a receipt waits in memory, charged to the
 * budget of the sessions; its publisher gets no acknowledgement meanwhile, and when the budget is used up, publishes are refused.
 */
final class ForwardLane {
    private static final int FRAME_OVERHEAD = 64;

    private final RemoteNode node;
    private final int lane;
    private final NodeLinks links;
    private final MemoryBudget memory;
    private final ForwardMetrics metrics;
    // Guarded by this. In the order of their numbers; those that wait for the link are the last ones.
    private final ArrayDeque<Numbered> unconfirmed = new ArrayDeque<>();
    private final ArrayDeque<Numbered> waiting = new ArrayDeque<>(1);
    private long number;

    /** A message with a receipt that is missing. */
    record Numbered(long number, ForwardFrame.Envelope envelope, PublishMessage message, Receipts receipts) {
        private int bytes() {
            return FRAME_OVERHEAD + message.heldBytes();
        }
    }

    /**
     * What a node that has ended has not confirmed.
     *
     * @param sent may have reached its subscribers
     * @param unsent has not
     */
    record Rest(List<Numbered> sent, List<Numbered> unsent) {}

    ForwardLane(RemoteNode node, int lane, NodeLinks links, MemoryBudget memory, ForwardMetrics metrics) {
        this.node = node;
        this.lane = lane;
        this.links = links;
        this.memory = memory;
        this.metrics = metrics;
    }

    /**
     * Sends a message that needs no receipt, or drops it.
     *
     * @param encoded the message
     */
    synchronized void send(ForwardFrame.Envelope envelope, byte[] encoded) {
        if (node.isGone()) {
            metrics.unreachable(1);
        } else if (waiting.isEmpty() && send(ForwardFrame.encode(envelope, ForwardFrame.NO_NUMBER, encoded))) {
            metrics.sentWithoutReceipt();
        } else {
            metrics.overloaded();
        }
    }

    /**
     * Sends a message, now or when the link has room. Returns false, and does nothing, if the node has ended.
     *
     * @param encoded the message
     * @param receipts expects one more receipt
     */
    synchronized boolean send(
            ForwardFrame.Envelope envelope, PublishMessage message, byte[] encoded, Receipts receipts) {
        if (node.isGone()) {
            return false;
        }
        number++;
        Numbered next = new Numbered(number, envelope, message, receipts);
        unconfirmed.add(next);
        receipts.expect();
        metrics.expectsReceipt();
        if (!waiting.isEmpty() || !send(ForwardFrame.encode(envelope, number, encoded))) {
            waiting.add(next);
            metrics.waitingBytes.addAndGet(next.bytes());
            memory.charge(next.bytes());
        }
        return true;
    }

    private boolean send(byte[] frame) {
        return links.send(node.incarnation(), lane, ForwardFrame.MESSAGE, frame);
    }

    private void release(Numbered waited) {
        metrics.waitingBytes.addAndGet(-waited.bytes());
        memory.release(waited.bytes());
    }

    /** Sends what waits, as far as the link has room. Returns whether anything still waits. */
    synchronized boolean sendWaiting(long nowMillis) {
        for (Numbered next = waiting.peek(); next != null; next = waiting.peek()) {
            byte[] encoded = ForwardFrame.encode(next.message, nowMillis);
            if (!send(ForwardFrame.encode(next.envelope, next.number, encoded))) {
                return true;
            }
            waiting.remove();
            release(next);
        }
        return false;
    }

    /** Removes the messages up to a number, which the node has handled, and returns them in their order. */
    synchronized List<Numbered> confirm(long last) {
        List<Numbered> confirmed = new ArrayList<>();
        for (Numbered first = unconfirmed.peek(); first != null && first.number <= last; first = unconfirmed.peek()) {
            unconfirmed.remove();
            confirmed.add(first);
        }
        return confirmed;
    }

    /** Removes all messages, because the node has ended. */
    synchronized Rest end() {
        List<Numbered> unsent = List.copyOf(waiting);
        List<Numbered> sent = new ArrayList<>(unconfirmed).subList(0, unconfirmed.size() - unsent.size());
        waiting.forEach(this::release);
        waiting.clear();
        unconfirmed.clear();
        return new Rest(sent, unsent);
    }
}
