package io.heddle.core.sys.ledger;

/**
 * The part of a number that has lasted: of the latest values, which all have the same sign, the one closest to 0. Counts that are read
 * while they change differ for a moment; what is lost stays lost. Owned by one thread.
 */
final class Lasting {
    private final long[] values;
    private int next;
    private boolean isFull;

    /** @param length the number of values */
    Lasting(int length) {
        this.values = new long[length];
    }

    void add(long value) {
        values[next] = value;
        next = (next + 1) % values.length;
        isFull |= next == 0;
    }

    /** Returns whether there are enough values. */
    boolean isFull() {
        return isFull;
    }

    /** Returns 0 until there are enough values. */
    long value() {
        if (!isFull) {
            return 0;
        }
        long closest = values[0];
        for (long value : values) {
            if (Long.signum(value) != Long.signum(closest)) {
                return 0;
            }
            closest = Math.abs(value) < Math.abs(closest) ? value : closest;
        }
        return closest;
    }
}
