package io.heddle.perf.load.accounting;

import java.util.Arrays;

/**
 * The closed loop: each publisher may have so many messages under way that have not reached all their subscribers. Messages
 * leave the window in the order in which they were sent. Owner: the generator's thread. Bounded by the window.
 */
public final class Windows {
    private final int window;
    private final int recipients;
    private final int mask;
    private final long[] published;
    // By publisher: the oldest message under way; equal to the number published when there is none.
    private final long[] oldest;
    // By publisher and message, in a ring: subscribers that do not have it yet.
    private final int[] remaining;
    private final long[] oldestAtLastCheck;
    private final long[] checkedNanos;
    private long givenUp;

    /**
     * Nothing under way.
     *
     * @param published by publisher, how many messages it has sent; read, and kept up to date by whoever sends them
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

    /** One more subscriber has the message; true when that opens the window further. */
    public boolean delivered(int publisher, long sequence) {
        if (sequence < oldest[publisher]) {
            return false; // Given up, and here after all.
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
     * Gives up what is under way of a publisher whose oldest message has been the same for that long; true when something was.
     * Else one lost message would end the load.
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

    /** Messages that were given up because they did not reach all their subscribers in time. */
    public long givenUp() {
        return givenUp;
    }

    private int slot(int publisher, long sequence) {
        return publisher * (mask + 1) + ((int) sequence & mask);
    }
}
