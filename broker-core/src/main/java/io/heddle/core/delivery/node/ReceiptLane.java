package io.heddle.core.delivery.node;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The messages of one lane of another node that are handed over. Thread-safe: one lock, for a step. Bounded by the messages of the other
 * node that are being dispatched to another member of a shared subscription.
 */
final class ReceiptLane {
    /** The highest number of exceptions in a receipt. */
    private static final int MAXIMUM_OPEN = 1_000;

    // Guarded by this. Messages that are dispatched to another member; they must not delay the receipts of later
    // messages, of which one
    // may be the same message on its way back.
    private final TreeSet<Long> open = new TreeSet<>();
    private long last;
    private boolean isDue;

    /** A message has been handed over. Returns whether the caller has to send a receipt: no other one has to. */
    synchronized boolean handedOver(long number) {
        last = number;
        return becomesDue();
    }

    /** A message is being dispatched to another member; {@link #close} follows. */
    synchronized void open(long number) {
        last = number;
        open.add(number);
    }

    /** A message has been dispatched. Returns whether the caller has to send a receipt: no other one has to. */
    synchronized boolean close(long number) {
        open.remove(number);
        return becomesDue();
    }

    private boolean becomesDue() {
        boolean wasDue = isDue;
        isDue = true;
        return !wasDue;
    }

    /** Returns the receipt that is due. If it cannot be sent, the caller calls this method again. */
    synchronized ForwardFrame.Receipt take(int lane) {
        isDue = false;
        List<Long> except = new ArrayList<>(0);
        for (long number : open) {
            if (except.size() == MAXIMUM_OPEN) {
                return new ForwardFrame.Receipt(lane, number - 1, except);
            }
            except.add(number);
        }
        return new ForwardFrame.Receipt(lane, last, except);
    }
}
