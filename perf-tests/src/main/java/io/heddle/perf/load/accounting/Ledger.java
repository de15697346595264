package io.heddle.perf.load.accounting;

import java.util.BitSet;

/**
 * The states of the messages from one publisher to one subscriber, whose connections may break. An acknowledged message that did not arrive
 * is lost; an unacknowledged one may arrive or not. Owner: one thread. Bounded by three bits per message.
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
     * An empty ledger.
     *
     * @param acknowledgements whether the broker acknowledges messages; otherwise each sent message must arrive
     */
    public Ledger(boolean acknowledgements) {
        this.acknowledgements = acknowledgements;
    }

    /** Records a sent message and returns its sequence number, from 0. */
    public int send() {
        return sent++;
    }

    public void acknowledge(int sequence) {
        acknowledged.set(sequence);
    }

    public void refuse(int sequence) {
        refused.set(sequence);
    }

    /** Records an arrival. Returns whether it is the message's first. */
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

    /** Whether no message is lost or unanswered. */
    public boolean isSettled() {
        return lost() == 0 && unanswered() == 0;
    }

    public long sent() {
        return sent;
    }

    public long delivered() {
        return delivered.cardinality();
    }

    /** The number of messages that must arrive and have not. */
    public long lost() {
        if (!acknowledgements) {
            return sent - delivered();
        }
        BitSet missing = (BitSet) acknowledged.clone();
        missing.andNot(delivered);
        return missing.cardinality();
    }

    /** The number of messages that the broker has neither acknowledged nor refused. */
    public long unanswered() {
        return acknowledgements ? sent - (long) acknowledged.cardinality() - refused.cardinality() : 0;
    }

    /** The number of arrivals of messages that were never sent. */
    public long strays() {
        return strays;
    }

    public long duplicated() {
        return duplicated;
    }

    /** The number of messages that arrived after a later one. */
    public long reordered() {
        return reordered;
    }
}
