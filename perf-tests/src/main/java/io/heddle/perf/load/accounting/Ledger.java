package io.heddle.perf.load.accounting;

import java.util.BitSet;

/**
 * The fate of each message of one publisher on its way to one subscriber, where connections may break meanwhile. A message
 * that the broker has acknowledged and that did not arrive is lost; one that it did not acknowledge may have arrived or not.
 * Owner: one thread. Bounded by three bits per message.
 */
public final class Ledger {
    private final boolean acknowledgements;
    private final BitSet acknowledged = new BitSet();
    private final BitSet refused = new BitSet();
    private final BitSet delivered = new BitSet();
    private int sent;
    private int highestDelivered = -1;
    private long duplicated;
    private long reordered;
    private long strays;

    /**
     * Without messages.
     *
     * @param acknowledgements whether the broker acknowledges messages; without, each message that is sent must arrive
     */
    public Ledger(boolean acknowledgements) {
        this.acknowledgements = acknowledgements;
    }

    /** Notes one more message; its sequence number, from 0. */
    public int send() {
        return sent++;
    }

    public void acknowledge(int sequence) {
        acknowledged.set(sequence);
    }

    public void refuse(int sequence) {
        refused.set(sequence);
    }

    /** Notes an arrival; true when it is the message's first. */
    public boolean deliver(long sequence) {
        if (sequence < 0 || sequence >= sent) {
            strays++;
            return false;
        }
        int message = (int) sequence;
        if (delivered.get(message)) {
            duplicated++;
            return false;
        }
        delivered.set(message);
        if (message < highestDelivered) {
            reordered++;
        } else {
            highestDelivered = message;
        }
        return true;
    }

    /** Whether nothing can arrive any more that is missing now. */
    public boolean isSettled() {
        return lost() == 0 && unanswered() == 0;
    }

    public long sent() {
        return sent;
    }

    public long delivered() {
        return delivered.cardinality();
    }

    /** Messages that must arrive and did not. */
    public long lost() {
        if (!acknowledgements) {
            return sent - delivered();
        }
        BitSet missing = (BitSet) acknowledged.clone();
        missing.andNot(delivered);
        return missing.cardinality();
    }

    /** Messages that the broker neither acknowledged nor refused. */
    public long unanswered() {
        return acknowledgements ? sent - (long) acknowledged.cardinality() - refused.cardinality() : 0;
    }

    /** Arrivals of messages that were never sent. */
    public long strays() {
        return strays;
    }

    public long duplicated() {
        return duplicated;
    }

    /** Messages that arrived after a later one. */
    public long reordered() {
        return reordered;
    }
}
