package io.heddle.perf.load.accounting;

/** Latencies by the phase in which they started. Owner: one thread. */
public final class PhasedLatencies {
    private final Phases phases;
    private final Latencies[] byPhase;

    public PhasedLatencies(Phases phases) {
        this.phases = phases;
        byPhase = new Latencies[phases.count()];
        for (int phase = 0; phase < byPhase.length; phase++) {
            byPhase[phase] = new Latencies();
        }
    }

    /** Records a latency, unless it started before the first phase. */
    public void record(long sinceNanos, long untilNanos) {
        int phase = phases.of(sinceNanos);
        if (phase != Phases.NONE) {
            byPhase[phase].record(untilNanos - sinceNanos);
        }
    }

    public Latencies of(int phase) {
        return byPhase[phase];
    }
}
