package io.heddle.core.delivery.node;

import io.heddle.core.link.NodeLinks;
import io.heddle.core.quota.MemoryBudget;
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
 * budget of the sessions; its publisher gets no acknowledgement meanwhile, and when the budget is used up, publishes are refused. Publishers do
 * not wait for a node that is suspected or cut off; its messages wait up to {@value #KEPT_BYTES} bytes and are dropped above.
 */
final class ForwardLane {
    static final int KEPT_BYTES = 8 << 20;
    private static final int FRAME_OVERHEAD = 64;

    private final RemoteNode node;
    private final int lane;
    private final NodeLinks links;
    private final MemoryBudget memory;
    private final ForwardMetrics metrics;
    // Guarded by this.
    private final ArrayDeque<Missing> missing = new ArrayDeque<>();
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(1);
    private long waitingBytes;
    private int awaited;
    private long number;
    private boolean hasProgressed;
    private long checkedNanos;

    private static final class Missing {
        private final long number;
        /** Null if the publisher does not wait. */
        private @Nullable Receipts receipts;

        Missing(long number, @Nullable Receipts receipts) {
            this.number = number;
            this.receipts = receipts;
        }
    }

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
        if (!node.isReachable()) {
            metrics.unreachable(1);
        } else if (waiting.isEmpty() && send(ForwardFrame.encode(envelope, ForwardFrame.NO_NUMBER, encoded))) {
            metrics.sentWithoutReceipt();
        } else {
            metrics.overloaded();
        }
    }

    /**
     * Sends a message, now or when the link has room. Returns whether its publisher waits for the receipt: not if the node is suspected or cut
     * off, nor if the message was dropped.
     *
     * @param encoded the message
     * @param receipts expects one more receipt if the publisher waits for it
     */
    synchronized boolean send(ForwardFrame.Envelope envelope, byte[] encoded, Receipts receipts) {
        byte[] frame = ForwardFrame.encode(envelope, number + 1, encoded);
        boolean isAwaited = node.isReachable();
        boolean waits = !waiting.isEmpty() || !send(frame);
        if (waits && !isAwaited && !isKept(frame)) {
            metrics.unreachable(1);
            return false;
        }
        number++;
        metrics.expectsReceipt();
        missing.add(new Missing(number, isAwaited ? receipts : null));
        if (isAwaited) {
            receipts.expect();
            awaited++;
        }
        if (waits) {
            waiting.add(frame);
            charge(frame, 1);
        }
        return isAwaited;
    }

    private boolean isKept(byte[] frame) {
        return !node.isGone() && waitingBytes + frame.length <= KEPT_BYTES && memory.hasRoom(frame.length);
    }

    private boolean send(byte[] frame) {
        return links.send(node.incarnation(), lane, ForwardFrame.MESSAGE, frame);
    }

    private void charge(byte[] frame, int sign) {
        long bytes = (long) FRAME_OVERHEAD + frame.length;
        waitingBytes += sign * bytes;
        metrics.waitingBytes.addAndGet(sign * bytes);
        if (sign > 0) {
            memory.charge(bytes);
        } else {
            memory.release(bytes);
        }
    }

    /** Sends what waits, as far as the link has room. Returns whether anything still waits. */
    synchronized boolean sendWaiting() {
        while (!waiting.isEmpty() && send(waiting.getFirst())) {
            charge(waiting.removeFirst(), -1);
        }
        return !waiting.isEmpty();
    }

    /**
     * The node has handed over all messages up to a number, except some.
     *
     * @param except their numbers, in ascending order
     */
    void onReceipt(long number, List<Long> except) {
        List<Receipts> given = new ArrayList<>();
        synchronized (this) {
            hasProgressed = true;
            metrics.confirmed(confirm(number, except, given));
        }
        given.forEach(Receipts::onGiven);
    }

    /** Removes the confirmed messages and returns their number. */
    private int confirm(long last, List<Long> except, List<Receipts> given) {
        int confirmed = 0;
        List<Missing> kept = new ArrayList<>(0);
        for (Missing first = missing.peek(); first != null && first.number <= last; first = missing.peek()) {
            missing.remove();
            if (Collections.binarySearch(except, first.number) >= 0) {
                kept.add(first);
            } else {
                release(first, given);
                confirmed++;
            }
        }
        for (int i = kept.size() - 1; i >= 0; i--) {
            missing.addFirst(kept.get(i));
        }
        return confirmed;
    }

    private void release(Missing released, List<Receipts> given) {
        if (released.receipts != null) {
            given.add(released.receipts);
            released.receipts = null;
            awaited--;
        }
    }

    /**
     * Returns whether the node has given no receipt for some time although publishers wait. Called in intervals that are shorter than that time.
     *
     * @param nowNanos monotonic
     */
    synchronized boolean isStuck(long nowNanos, long patienceNanos) {
        if (awaited == 0 || hasProgressed) {
            hasProgressed = false;
            checkedNanos = nowNanos;
        }
        return nowNanos - checkedNanos >= patienceNanos;
    }

    /** Publishers do not wait for a node that is suspected or cut off. Messages that one that has ended may not have got count as dropped. */
    void releaseIfUnreachable() {
        if (node.isReachable()) {
            return;
        }
        List<Receipts> given = new ArrayList<>();
        synchronized (this) {
            missing.forEach(each -> release(each, given));
            if (node.isGone()) {
                metrics.unconfirmed(missing.size());
                missing.clear();
                waiting.forEach(frame -> charge(frame, -1));
                waiting.clear();
            }
        }
        given.forEach(Receipts::onGiven);
    }
}
