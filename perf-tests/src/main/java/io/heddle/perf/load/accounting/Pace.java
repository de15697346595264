package io.heddle.perf.load.accounting;

/**
 * The fixed rate: message k of all publishers together is due k/rate seconds after the start, and belongs to the publishers in
 * turn. Latency is counted from there, whenever it was really sent: a broker that makes the generator late does not get the
 * time as a present ("coordinated omission"). Immutable.
 */
public final class Pace {
    private final int publishers;
    private final long startNanos;
    private final double intervalNanos;

    /**
     * A pace.
     *
     * @param perSecond messages of all publishers together
     */
    public Pace(int publishers, double perSecond, long startNanos) {
        this.publishers = publishers;
        this.startNanos = startNanos;
        intervalNanos = 1e9 / perSecond;
    }

    /** How many messages were due by then, of all publishers. */
    public long dueBy(long nowNanos) {
        long elapsed = nowNanos - startNanos;
        return elapsed < 0 ? 0 : (long) (elapsed / intervalNanos) + 1;
    }

    /** When message k of all publishers is due. */
    public long dueNanos(long message) {
        // Rounded up, so that at this time it is due.
        return startNanos + (long) Math.ceil(message * intervalNanos);
    }

    /** Whose turn message k is. */
    public int publisherOf(long message) {
        return (int) (message % publishers);
    }

    /** When the publisher's own message number {@code sequence} is due. */
    public long dueNanos(int publisher, long sequence) {
        return dueNanos(sequence * publishers + publisher);
    }
}
