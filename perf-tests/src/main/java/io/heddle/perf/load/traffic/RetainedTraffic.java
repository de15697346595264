package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Latencies;
import java.util.Map;
import java.util.TreeMap;

/** The counters of all publishers of retained messages. Owner: the load's thread. */
final class RetainedTraffic {
    private static final int FIRST_ERROR_CODE = 0x80;

    private final Latencies latencies = new Latencies();
    private final Map<String, Integer> breaks = new TreeMap<>();
    private long acknowledged;
    private long refused;

    void acknowledged(long nanos, int reasonCode) {
        latencies.record(nanos);
        acknowledged++;
        if (reasonCode >= FIRST_ERROR_CODE) {
            refused++;
        }
    }

    void broken(String reason) {
        breaks.merge(reason, 1, Integer::sum);
    }

    long acknowledged() {
        return acknowledged;
    }

    long refused() {
        return refused;
    }

    /** The PUBACK latencies of the current run. */
    Latencies latencies() {
        return latencies;
    }

    /** Counts of broken connections by reason. */
    Map<String, Integer> breaks() {
        return breaks;
    }
}
