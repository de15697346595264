package io.heddle.perf.load.accounting;

import org.jspecify.annotations.Nullable;

/**
 * Compares what each subscriber gets of each publisher with what that publisher has sent. Within such a flow the messages are
 * numbered from 0 without a hole, so that each delivery is the next one, or a fault:
 *
 * <ul>
 *   <li>later than the next: those between are missing, until they come (<i>reordered</i>) or the load ends (<i>lost</i>);
 *   <li>earlier than the next: missing so far, hence reordered; else <i>duplicated</i>;
 *   <li>from a publisher that does not reach this subscriber, or never published: a <i>stray</i>.
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
     * @param published by publisher, how many messages it has sent; read, and kept up to date by whoever sends them
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

    /** Counts a delivery; true when it is this message's first to this subscriber. */
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
        return outOfTurn(flow, publisher, sequence);
    }

    private boolean outOfTurn(int flow, int publisher, long sequence) {
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

    /** Deliveries of a message to a subscriber that did not have it. */
    public long delivered() {
        return delivered;
    }

    public long duplicated() {
        return duplicated;
    }

    /** Messages that came after a later one of the same publisher. */
    public long reordered() {
        return reordered;
    }

    /** Messages that were never meant for the subscriber that got them. */
    public long strays() {
        return strays;
    }

    /** Deliveries that were due by what is published so far and have not come. */
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
