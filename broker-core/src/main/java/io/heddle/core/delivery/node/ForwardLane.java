package io.heddle.core.delivery.node;

import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.RemoteNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages on one data lane to one node, until that node has confirmed them. Thread-safe: one lock, held for a step or while a frame is
 * handed to the link, which does not block.
 *
 * <p>Bound: a message that needs no receipt is dropped when the link has no room. One that needs a receipt waits in memory; its publisher gets
 * no acknowledgement meanwhile. Waiting messages, and those of shared subscriptions, which may have to go to another member, are charged to the
 * budget of the sessions. When it is used up, publishes are refused.
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
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(1);
    private long number;

    /**
     * A message with a receipt that is missing.
     *
     * @param message null if no other member can get it: it is not for a shared subscription
     */
    record Numbered(
            long number,
            ForwardFrame.Envelope envelope,
            @Nullable PublishMessage message,
            Receipts receipts) {
        static Numbered of(long number, ForwardFrame.Envelope envelope, PublishMessage message, Receipts receipts) {
            return new Numbered(number, envelope, envelope.groups().isEmpty() ? null : message, receipts);
        }
    }

    private record Waiting(Numbered numbered, PublishMessage message) {}

    /**
     * The messages that a node had not confirmed when it ended.
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
        Numbered next = Numbered.of(number, envelope, message, receipts);
        unconfirmed.add(next);
        receipts.expect();
        metrics.expectsReceipt();
        charge(next.message, 1);
        if (!waiting.isEmpty()
                || waitsForTheLink(next, message)
                || !send(ForwardFrame.encode(envelope, number, encoded))) {
            Waiting added = new Waiting(next, message);
            waiting.add(added);
            addWaiting(added, 1);
        }
        return true;
    }

    /**
     * A link that is down takes frames. A QoS 2 message of a shared subscription must not be among them: as long as it is not sent, another member
     * may get it.
     */
    private boolean waitsForTheLink(Numbered next, PublishMessage message) {
        return next.message != null && message.qos() == QoS.EXACTLY_ONCE && !links.isUp(node.incarnation());
    }

    private boolean send(byte[] frame) {
        return links.send(node.incarnation(), lane, ForwardFrame.MESSAGE, frame);
    }

    private void charge(@Nullable PublishMessage message, int sign) {
        if (message != null && sign > 0) {
            memory.charge((long) bytes(message));
        } else if (message != null) {
            memory.release(bytes(message));
        }
    }

    /** A message of a shared subscription is charged until it is confirmed, whether it waits or not. */
    private void addWaiting(Waiting waits, int sign) {
        metrics.waitingBytes.addAndGet((long) sign * bytes(waits.message));
        charge(waits.numbered.message == null ? waits.message : null, sign);
    }

    private static int bytes(PublishMessage message) {
        return FRAME_OVERHEAD + message.heldBytes();
    }

    /** Sends what waits, as far as the link has room. Returns whether anything still waits. */
    synchronized boolean sendWaiting(long nowMillis) {
        for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
            Numbered numbered = next.numbered;
            if (waitsForTheLink(numbered, next.message)
                    || !links.hasRoomFor(node.incarnation(), lane, bytes(next.message))) {
                return true;
            }
            byte[] encoded = ForwardFrame.encode(next.message, nowMillis);
            if (!send(ForwardFrame.encode(numbered.envelope, numbered.number, encoded))) {
                return true;
            }
            waiting.remove();
            addWaiting(next, -1);
        }
        return false;
    }

    /** Removes the messages up to a number, which the node has handled, and returns them in their order. */
    synchronized List<Numbered> confirm(long last) {
        List<Numbered> confirmed = new ArrayList<>();
        for (Numbered first = unconfirmed.peek(); first != null && first.number <= last; first = unconfirmed.peek()) {
            unconfirmed.remove();
            charge(first.message, -1);
            confirmed.add(first);
        }
        return confirmed;
    }

    /** Removes all messages, because the node has ended. */
    synchronized Rest end() {
        List<Numbered> unsent = waiting.stream().map(Waiting::numbered).toList();
        List<Numbered> sent = new ArrayList<>(unconfirmed).subList(0, unconfirmed.size() - unsent.size());
        waiting.forEach(each -> addWaiting(each, -1));
        waiting.clear();
        unconfirmed.forEach(each -> charge(each.message, -1));
        unconfirmed.clear();
        return new Rest(sent, unsent);
    }
}
