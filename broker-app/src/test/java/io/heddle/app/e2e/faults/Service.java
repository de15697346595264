package io.heddle.app.e2e.faults;

import java.time.Duration;

/** Measures how long one client is without service. Confined to the clients' event loop. */
final class Service {
    private long fromNanos = System.nanoTime();
    private long longestNanos;
    private long servedMoment;
    private boolean isWanted = true;

    /** Measures anew from now on. */
    void begin() {
        fromNanos = System.nanoTime();
        longestNanos = 0;
    }

    /**
     * The client was served.
     *
     * @param moment when it, or another client, had sent what it got now
     */
    void sign(long moment) {
        long now = System.nanoTime();
        if (isWanted) {
            longestNanos = Math.max(longestNanos, now - fromNanos);
        }
        fromNanos = now;
        servedMoment = Math.max(servedMoment, moment);
    }

    /** The client leaves by itself, or comes back. */
    void want(boolean wanted) {
        isWanted = wanted;
        fromNanos = System.nanoTime();
    }

    /** Returns whether the client was served with something sent after the moment; true if it wants no service. */
    boolean isServedSince(long moment) {
        return !isWanted || servedMoment > moment;
    }

    Duration longest() {
        return Duration.ofNanos(longestNanos);
    }
}
