package io.heddle.perf.load.accounting;

/**
 * A fixed rate: message k of all publishers is due k/rate seconds after the start, and the publishers take turns. Latency counts from the
 * due time, not from the actual send time, so that a broker that delays the generator does not hide the delay ("coordinated omission").
 * Immutable.
 */
public final class Pace {
    private final int publishers;
    private final long startNanos;
    private final double intervalNanos;

    /**
     * A rate.
     *
     * @param perSecond messages per second of all publishers together
     */
    public Pace(int publishers, double perSecond, long startNanos) {
        this.publishers = publishers;
        this.startNanos = startNanos;
        intervalNanos = 1e9 / perSecond;
    }

    /** The number of messages of all publishers that are due at this time. */
    public long dueBy(long nowNanos) {
        long elapsed = nowNanos - startNanos;
        return elapsed < 0 ? 0 : (long) (elapsed / intervalNanos) + 1;
    }

    /** The due time of message k of all publishers. */
    public long dueNanos(long message) {
        // Rounded up, so that the message is due at this time.
        return startNanos + (long) Math.ceil(message * intervalNanos);
    }

    /** The publisher of message k. */
    public int publisherOf(long message) {
        return (int) (message % publishers);
    }

    /** The due time of the publisher's own message number {@code sequence}. */
    public long dueNanos(int publisher, long sequence) {
        return dueNanos(sequence * publishers + publisher);
    }
}
