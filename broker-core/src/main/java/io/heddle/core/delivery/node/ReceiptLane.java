package io.heddle.core.delivery.node;

import io.heddle.core.mqtt.TopicFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one lane of another node that are handed over, and those among them of which this node had no member. Thread-safe: one lock, for
 * a step. Bounded by the messages that the other node may send before it has their receipts.
 */
final class ReceiptLane {
    /** Of the filters in a receipt, unless there is only one message. */
    private static final int MAXIMUM_FILTER_CHARS = 32_000;

    // Guarded by this.
    private final ArrayDeque<ForwardFrame.Returned> returned = new ArrayDeque<>(1);
    private long last;
    private boolean isDue;

    /**
     * A message has been handed over. Returns whether the caller has to send a receipt: no other one has to.
     *
     * @param withoutMember the shared subscriptions of which this node has no member; they are returned
     */
    synchronized boolean handedOver(long number, List<TopicFilter> withoutMember) {
        last = number;
        if (!withoutMember.isEmpty()) {
            returned.add(new ForwardFrame.Returned(number, withoutMember));
        }
        boolean wasDue = isDue;
        isDue = true;
        return !wasDue;
    }

    /** Returns the receipt that is due. When it is sent, the caller calls {@link #sent}. */
    synchronized ForwardFrame.Receipt next(int lane) {
        List<ForwardFrame.Returned> first = new ArrayList<>(0);
        int chars = 0;
        for (ForwardFrame.Returned each : returned) {
            if (chars > MAXIMUM_FILTER_CHARS) {
                return new ForwardFrame.Receipt(lane, each.number() - 1, first);
            }
            first.add(each);
            for (TopicFilter filter : each.filters()) {
                chars += filter.value().length();
            }
        }
        return new ForwardFrame.Receipt(lane, last, first);
    }

    /** A receipt was sent. Returns whether the next one is due. */
    synchronized boolean sent(ForwardFrame.Receipt receipt) {
        for (int i = 0; i < receipt.returned().size(); i++) {
            returned.remove();
        }
        isDue = receipt.number() < last;
        return isDue;
    }
}
