package io.heddle.perf.load.accounting;

import org.jspecify.annotations.Nullable;

/**
 * Compares the messages that each subscriber receives from each publisher with those that the publisher has sent. In such a flow,
 * messages are numbered from 0 without gaps, so that each delivery is the next one, or a fault:
 *
 * <ul>
 *   <li>later than the next: those in between are missing, until they arrive (<i>reordered</i>) or the load ends (<i>lost</i>);
 *   <li>earlier than the next: reordered if missing so far, else <i>duplicated</i>;
 *   <li>from a publisher of another group, or never published: a <i>stray</i>.
 * </ul>
 *
 * Owner: the generator's thread. Bounded by one number per flow, and an entry per skip.
 */
public final class Flows {
    private final int publishersEach;
    private final long[] published;
    private final long[] next;
    private final @Nullable Gaps[] gaps;
    private final int[] firstPublisher;
    private long delivered;
    private long duplicated;
    private long reordered;
    private long strays;

    /**
     * No message yet.
     *
     * @param published the number of sent messages by publisher; the sender keeps it up to date
     */
    public Flows(Groups groups, long[] published) {
        this.published = published;
        publishersEach = groups.publishersEach();
        next = new long[groups.flows()];
        gaps = new Gaps[groups.flows()];
        firstPublisher = new int[groups.subscribers()];
        for (int subscriber = 0; subscriber < firstPublisher.length; subscriber++) {
            firstPublisher[subscriber] = groups.firstPublisherFor(subscriber);
        }
    }

    /** Counts a delivery. Returns whether it is the first one of the message to the subscriber. */
    public boolean delivered(int subscriber, int publisher, long sequence) {
        int inGroup = publisher - firstPublisher[subscriber];
        if (inGroup < 0 || inGroup >= publishersEach) {
            strays++;
            return false;
        }
        int flow = subscriber * publishersEach + inGroup;
        if (sequence == next[flow]) {
            next[flow] = sequence + 1;
            delivered++;
            return true;
        }
        return deliveredOutOfOrder(flow, publisher, sequence);
    }

    private boolean deliveredOutOfOrder(int flow, int publisher, long sequence) {
        if (sequence < 0 || sequence >= published[publisher]) {
            strays++;
            return false;
        }
        Gaps skipped = gaps[flow];
        if (sequence > next[flow]) {
            if (skipped == null) {
                skipped = new Gaps();
                gaps[flow] = skipped;
            }
            skipped.skipped(next[flow], sequence);
            next[flow] = sequence + 1;
            delivered++;
            return true;
        }
        if (skipped != null && skipped.fill(sequence)) {
            reordered++;
            delivered++;
            return true;
        }
        duplicated++;
        return false;
    }

    /** The number of first deliveries. */
    public long delivered() {
        return delivered;
    }

    public long duplicated() {
        return duplicated;
    }

    /** The number of messages that arrived after a later one of the same publisher. */
    public long reordered() {
        return reordered;
    }

    /** The number of messages to subscribers without a matching subscription. */
    public long strays() {
        return strays;
    }

    /** The number of outstanding deliveries of the messages published so far. */
    public long missing() {
        long missing = 0;
        for (int flow = 0; flow < next.length; flow++) {
            int publisher = firstPublisher[flow / publishersEach] + flow % publishersEach;
            Gaps skipped = gaps[flow];
            missing += published[publisher] - next[flow] + (skipped == null ? 0 : skipped.missing());
        }
        return missing;
    }
}
