package io.heddle.core.delivery.node;

import java.util.TreeSet;

/**
 * The messages of one lane of another node that are handed over. Thread-safe: one lock, for a step. Bounded by the messages that the other
 * node has sent and that are being dispatched to another member.
 */
final class ReceiptLane {
    // Guarded by this.
    private final TreeSet<Long> open = new TreeSet<>();
    private long last;
    private long confirmed;
    private boolean isDue;

    /** A message has arrived. Its receipt waits for {@link #close}. */
    synchronized void open(long number) {
        open.add(number);
        last = Math.max(last, number);
    }

    /** A message is handed over. Returns whether the caller has to send a receipt: no other one has to. */
    synchronized boolean close(long number) {
        open.remove(number);
        boolean isFirst = !isDue && upTo() > confirmed;
        isDue |= isFirst;
        return isFirst;
    }

    private long upTo() {
        return open.isEmpty() ? last : open.first() - 1;
    }

    /** Returns the number of the receipt that is due. If it cannot be sent, the caller calls this method again. */
    synchronized long take() {
        isDue = false;
        confirmed = upTo();
        return confirmed;
    }
}
