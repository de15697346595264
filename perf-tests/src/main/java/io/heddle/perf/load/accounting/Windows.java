package io.heddle.perf.load.accounting;

import java.util.Arrays;

/**
 * The windows of the closed loop: a limited number of messages of each publisher may be undelivered. Messages leave the window in the order
 * in which they were sent. Owner: the generator's thread. Bounded by the window.
 */
public final class Windows {
    private final int window;
    private final int recipients;
    private final int mask;
    private final long[] published;
    // By publisher: the oldest message in the window; equal to the number published if there is none.
    private final long[] oldest;
    // By publisher and message, in a ring: the number of subscribers that have not received it.
    private final int[] remaining;
    private final long[] oldestAtLastCheck;
    private final long[] checkedNanos;
    private long givenUp;

    /**
     * Empty windows.
     *
     * @param published the number of sent messages by publisher; the sender keeps it up to date
     */
    public Windows(Groups groups, int window, long[] published) {
        this.window = window;
        this.published = published;
        recipients = groups.subscribersEach();
        int ring = window == 1 ? 1 : Integer.highestOneBit(window - 1) << 1;
        mask = ring - 1;
        oldest = new long[groups.publishers()];
        remaining = new int[Math.multiplyExact(groups.publishers(), ring)];
        oldestAtLastCheck = new long[groups.publishers()];
        checkedNanos = new long[groups.publishers()];
        Arrays.fill(oldestAtLastCheck, -1);
    }

    /** Whether the publisher may send its next message. */
    public boolean isOpen(int publisher) {
        return published[publisher] - oldest[publisher] < window;
    }

    /** Called before the number published is raised. */
    public void sent(int publisher, long sequence) {
        remaining[slot(publisher, sequence)] = recipients;
    }

    /** Records a delivery. Returns whether it opens the window further. */
    public boolean delivered(int publisher, long sequence) {
        if (sequence < oldest[publisher]) {
            return false; // Was given up and has arrived now.
        }
        if (--remaining[slot(publisher, sequence)] > 0 || sequence != oldest[publisher]) {
            return false;
        }
        long first = sequence + 1;
        while (first < published[publisher] && remaining[slot(publisher, first)] == 0) {
            first++;
        }
        oldest[publisher] = first;
        return true;
    }

    /**
     * Gives up the undelivered messages of a publisher if its oldest one has not changed for this time. Returns whether there were any.
     * Without this, a lost message would stop the load.
     */
    public boolean giveUp(int publisher, long nowNanos, long afterNanos) {
        if (oldest[publisher] == published[publisher] || oldest[publisher] != oldestAtLastCheck[publisher]) {
            oldestAtLastCheck[publisher] = oldest[publisher];
            checkedNanos[publisher] = nowNanos;
            return false;
        }
        if (nowNanos - checkedNanos[publisher] < afterNanos) {
            return false;
        }
        givenUp += published[publisher] - oldest[publisher];
        oldest[publisher] = published[publisher];
        return true;
    }

    /** The number of messages that were given up because they did not reach all their subscribers in time. */
    public long givenUp() {
        return givenUp;
    }

    private int slot(int publisher, long sequence) {
        return publisher * (mask + 1) + ((int) sequence & mask);
    }
}
