package io.heddle.perf.load.accounting;

/** Consecutive parts of a measurement, numbered from 0. Owner: one thread. */
public final class Phases {
    /** The number of what happens before the first phase. */
    public static final int NONE = -1;

    private final long[] starts;
    private int begun;

    public Phases(int count) {
        starts = new long[count];
    }

    /** The next phase begins. */
    public void begin(long nowNanos) {
        starts[begun++] = nowNanos;
    }

    /** The phase that a moment belongs to, or {@link #NONE}. */
    public int of(long nanos) {
        int phase = begun - 1;
        while (phase >= 0 && nanos - starts[phase] < 0) {
            phase--;
        }
        return phase;
    }

    int count() {
        return starts.length;
    }
}
