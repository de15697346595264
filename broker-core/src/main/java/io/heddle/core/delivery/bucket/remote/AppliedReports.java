package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.AppliedReport;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells the other nodes how far the held buckets are applied: at most once in {@value #INTERVAL_MILLIS} ms what has changed, and everything
 * again after {@value #REPEAT_MILLIS} ms. Forgets a lagging bucket whose holder has been silent for {@value #SILENCE_MILLIS} ms. Belongs to
 * the thread that applies the bucket logs, which is idle for a second at most. Bound: a report for each node and bucket.
 */
final class AppliedReports {
    static final int INTERVAL_MILLIS = 20;
    static final int REPEAT_MILLIS = 500;
    static final int SILENCE_MILLIS = 3_000;

    private static final Duration SILENCE = Duration.ofMillis(SILENCE_MILLIS);

    private final NodeLinks links;
    private final BucketPositions positions;
    private final SteadyClock clock;
    private final Counter silent;
    /** What each node knows. */
    private final Map<Incarnation, Map<Integer, AppliedReport>> told = new HashMap<>();

    private long sentMillis;
    private long repeatedMillis;
    private boolean hasUnsent;

    AppliedReports(NodeLinks links, BucketPositions positions, SteadyClock clock, MeterRegistry metrics) {
        this.links = links;
        this.positions = positions;
        this.clock = clock;
        this.silent = metrics.counter("heddle.buckets.lag.unknown");
        this.sentMillis = clock.millis() - INTERVAL_MILLIS;
        this.repeatedMillis = sentMillis;
    }

    /** Sends what has changed, unless the last time was too short ago. */
    void send(Set<Incarnation> others) {
        long nowMillis = clock.millis();
        if (others.isEmpty()) {
            told.clear();
            hasUnsent = false;
            return;
        }
        hasUnsent = nowMillis - sentMillis < INTERVAL_MILLIS;
        if (hasUnsent) {
            return;
        }
        sentMillis = nowMillis;
        Map<Integer, AppliedReport> reports = new TreeMap<>();
        for (int bucket = 0; bucket < positions.count(); bucket++) {
            AppliedReport report = positions.report(bucket);
            if (report != null) {
                reports.put(bucket, report);
            } else if (positions.forgetSilent(bucket, SILENCE)) {
                silent.increment();
            }
        }
        if (nowMillis - repeatedMillis >= REPEAT_MILLIS) {
            repeatedMillis = nowMillis;
            told.clear();
        }
        told.keySet().retainAll(others);
        others.forEach(node -> tell(node, reports));
    }

    private void tell(Incarnation node, Map<Integer, AppliedReport> reports) {
        Map<Integer, AppliedReport> known = told.computeIfAbsent(node, _ -> new HashMap<>());
        Map<Integer, AppliedReport> changed = new TreeMap<>(reports);
        changed.entrySet().removeIf(each -> each.getValue().equals(known.get(each.getKey())));
        known.keySet().retainAll(reports.keySet());
        if (!changed.isEmpty()) {
            if (links.send(node, NodeLinks.CONTROL, AppliedFrame.KIND, AppliedFrame.encode(changed))) {
                known.putAll(changed);
            } else {
                hasUnsent = true;
            }
        }
    }

    /** Returns whether {@link #send} has to be called again soon. */
    boolean hasUnsent() {
        return hasUnsent;
    }
}
