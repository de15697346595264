package io.heddle.perf.load.accounting;

/** Consecutive parts of a measurement, numbered from 0. Owner: one thread. */
public final class Phases {
    /** Stands for the time before the first phase. */
    public static final int NONE = -1;

    private final long[] starts;
    private int started;

    public Phases(int count) {
        starts = new long[count];
    }

    /** Starts the next phase. */
    public void begin(long nowNanos) {
        starts[started++] = nowNanos;
    }

    /** The phase of a time, or {@link #NONE}. */
    public int of(long nanos) {
        int phase = started - 1;
        while (phase >= 0 && nanos - starts[phase] < 0) {
            phase--;
        }
        return phase;
    }

    int count() {
        return starts.length;
    }
}
