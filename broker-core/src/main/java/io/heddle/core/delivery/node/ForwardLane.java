package io.heddle.core.delivery.node;

import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.routing.NodeRecipients;
import io.heddle.core.subscription.RemoteNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages on one data lane to one node, and their receipts. Thread-safe: one lock, held for a step or while a frame is handed to the
 * link, which does not block. Receipts are reported without the lock.
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
    private final MissedMessages missed;
    // Guarded by this.
    private final ArrayDeque<Missing> missing = new ArrayDeque<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(1);
    private long number;
    private boolean hasProgressed;
    private long checkedNanos;

    private record Missing(long number, Receipts receipts) {}

    private static final class Waiting {
        private final byte[] frame;
        private final @Nullable TopicName topic;

        /** @param topic of the message; null if only members of shared subscriptions get it */
        Waiting(byte[] frame, @Nullable TopicName topic) {
            this.frame = frame;
            this.topic = topic;
        }
    }

    /** @param missed remembers what subscribers of the node miss */
    ForwardLane(
            RemoteNode node,
            int lane,
            NodeLinks links,
            MemoryBudget memory,
            ForwardMetrics metrics,
            MissedMessages missed) {
        this.node = node;
        this.lane = lane;
        this.links = links;
        this.memory = memory;
        this.metrics = metrics;
        this.missed = missed;
    }

    /**
     * Sends a message that needs no receipt, or drops it.
     *
     * @param encoded the message
     */
    synchronized void send(ForwardFrame.Envelope envelope, byte[] encoded) {
        if (!node.isReachable()) {
            metrics.unreachable(1);
        } else if (waiting.isEmpty() && send(ForwardFrame.encode(envelope, ForwardFrame.NO_NUMBER, encoded))) {
            metrics.sentWithoutReceipt();
        } else {
            metrics.overloaded();
        }
    }

    /**
     * Sends a message, now or when the link has room. Returns false if the message was dropped, because the node is suspected or has ended.
     *
     * @param encoded the message
     * @param receipts expects one more receipt if the message was not dropped
     */
    synchronized boolean send(
            ForwardFrame.Envelope envelope, PublishMessage message, byte[] encoded, Receipts receipts) {
        TopicName missable = (envelope.purposes() & NodeRecipients.SUBSCRIBERS) == 0 ? null : message.topic();
        if (!node.isReachable()) {
            metrics.unreachable(1);
            addMissed(missable);
            return false;
        }
        receipts.expect();
        number++;
        missing.add(new Missing(number, receipts));
        metrics.expectsReceipt();
        byte[] frame = ForwardFrame.encode(envelope, number, encoded);
        if (!waiting.isEmpty() || !send(frame)) {
            waiting.add(new Waiting(frame, missable));
            charge(frame, 1);
        }
        return true;
    }

    private void addMissed(@Nullable TopicName topic) {
        if (topic != null) {
            missed.add(topic);
        }
    }

    private boolean send(byte[] frame) {
        return links.send(node.incarnation(), lane, ForwardFrame.MESSAGE, frame);
    }

    private void charge(byte[] frame, int sign) {
        long bytes = (long) FRAME_OVERHEAD + frame.length;
        metrics.waitingBytes.addAndGet(sign * bytes);
        if (sign > 0) {
            memory.charge(bytes);
        } else {
            memory.release(bytes);
        }
    }

    /** Sends what waits, as far as the link has room. Returns whether anything still waits. */
    synchronized boolean sendWaiting() {
        while (!waiting.isEmpty() && send(waiting.getFirst().frame)) {
            charge(waiting.removeFirst().frame, -1);
        }
        return !waiting.isEmpty();
    }

    /**
     * The node has handed over all messages up to a number, except some.
     *
     * @param except their numbers, in ascending order
     */
    void onReceipt(long number, List<Long> except) {
        synchronized (this) {
            hasProgressed = true;
        }
        List<Receipts> given = release(number, except);
        metrics.confirmed(given.size());
        given.forEach(Receipts::onGiven);
    }

    /**
     * Returns whether the node has given no receipt for some time although some are missing. Called in intervals that are shorter than that time.
     *
     * @param nowNanos monotonic
     */
    synchronized boolean isStuck(long nowNanos, long patienceNanos) {
        if (missing.isEmpty() || hasProgressed) {
            hasProgressed = false;
            checkedNanos = nowNanos;
        }
        return nowNanos - checkedNanos >= patienceNanos;
    }

    private List<Receipts> release(long last, List<Long> except) {
        List<Receipts> given = new ArrayList<>();
        List<Missing> kept = new ArrayList<>(0);
        synchronized (this) {
            for (Missing first = missing.peek(); first != null && first.number <= last; first = missing.peek()) {
                missing.remove();
                if (Collections.binarySearch(except, first.number) >= 0) {
                    kept.add(first);
                } else {
                    given.add(first.receipts);
                }
            }
            for (int i = kept.size() - 1; i >= 0; i--) {
                missing.addFirst(kept.get(i));
            }
        }
        return given;
    }

    /** Nothing is waited for if the node is suspected or has ended. Messages that it may not have got are counted as dropped. */
    void releaseIfUnreachable() {
        if (node.isReachable()) {
            return;
        }
        synchronized (this) {
            for (Waiting each : waiting) {
                charge(each.frame, -1);
                addMissed(each.topic);
            }
            waiting.clear();
        }
        List<Receipts> given = release(Long.MAX_VALUE, List.of());
        metrics.unconfirmed(given.size());
        given.forEach(Receipts::onGiven);
    }
}
