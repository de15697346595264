package io.heddle.core.sys.history;

import io.heddle.core.sys.BrokerMeters;
import io.heddle.core.sys.CpuUsage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The figures of this node during the last day. Recorded by one thread every ten seconds; any thread may read it. */
public final class History {
    private static final long STEP_MILLIS = Range.HOUR.step().toMillis();

    private static final long STEPS_OF_DAY =
            Range.DAY.step().multipliedBy(Range.DAY.length()).dividedBy(Range.HOUR.step());

    private final MeterRegistry registry;
    private final BrokerMeters meters;
    private final CpuUsage cpu;
    private final InstantSource time;
    private final LongSupplier nanoTime;
    private final LatencyBuckets latency;
    // Of the recording thread.
    private Map<String, Double> countsBefore = Map.of();
    private long nanosBefore;

    // Guarded by this.
    private final Map<String, Series> series = new HashMap<>();
    private long lastStep;

    /** @param nanoTime the monotonic clock, in nanoseconds; rates are values a second between two recordings */
    public History(
            MeterRegistry registry, BrokerMeters meters, CpuUsage cpu, InstantSource time, LongSupplier nanoTime) {
        this.registry = registry;
        this.meters = meters;
        this.cpu = cpu;
        this.time = time;
        this.nanoTime = nanoTime;
        this.latency = new LatencyBuckets(registry);
    }

    /** Records the figures of the last ten seconds. The first call begins the rates. */
    public void record() {
        cpu.measure();
        long nanos = nanoTime.getAsLong();
        Map<String, Double> counts = counts();
        SortedMap<Double, Double> latencies = latency.read();
        if (!countsBefore.isEmpty()) {
            Map<String, Double> values = gauges();
            double seconds = Math.max(1, nanos - nanosBefore) / 1e9;
            counts.forEach((key, count) -> values.put(key, (count - countsBefore.getOrDefault(key, 0.0)) / seconds));
            put(values, Figure.LATENCY_P50_MILLIS, LatencyBuckets.percentile(latencies, 0.5));
            put(values, Figure.LATENCY_P99_MILLIS, LatencyBuckets.percentile(latencies, 0.99));
            add(values, Math.round((double) time.millis() / STEP_MILLIS) - 1);
        }
        countsBefore = counts;
        nanosBefore = nanos;
    }

    private static void put(Map<String, Double> values, Figure figure, double value) {
        values.put(figure.key(), value);
    }

    /** Returns the figures that only rise, of which the history has rates. */
    private Map<String, Double> counts() {
        Map<String, Double> counts = new HashMap<>();
        put(counts, Figure.MESSAGES_RECEIVED, (double) meters.count("heddle.packets.received", "type", "publish"));
        put(counts, Figure.MESSAGES_SENT, (double) meters.count("heddle.packets.sent", "type", "publish"));
        put(counts, Figure.BYTES_RECEIVED, (double) meters.count("heddle.bytes.received"));
        put(counts, Figure.BYTES_SENT, (double) meters.count("heddle.bytes.sent"));
        put(counts, Figure.CONNECTS, connects("success"::equals));
        put(
                counts,
                Figure.CONNECTS_REFUSED,
                connects(outcome -> !outcome.equals("success") && !outcome.equals("gone")));
        double dropped = 0;
        for (Counter each : registry.find("heddle.messages.dropped").counters()) {
            dropped += each.count();
            if (each.count() > 0) {
                counts.merge(Figure.DROPPED + each.getId().getTag("reason"), each.count(), Double::sum);
            }
        }
        put(counts, Figure.MESSAGES_DROPPED, dropped);
        return counts;
    }

    private double connects(Predicate<String> isCounted) {
        double sum = 0;
        for (Counter each : registry.find("heddle.connects").counters()) {
            String outcome = each.getId().getTag("outcome");
            sum += outcome != null && isCounted.test(outcome) ? each.count() : 0;
        }
        return sum;
    }

    private Map<String, Double> gauges() {
        Map<String, Double> values = new HashMap<>();
        put(values, Figure.CONNECTIONS, (double) meters.gauge("heddle.sessions.connected"));
        put(values, Figure.PERSISTENT_SESSIONS, (double) meters.gauge("heddle.sessions.persistent.known"));
        put(values, Figure.SUBSCRIPTIONS, (double) meters.gauge("heddle.subscriptions"));
        put(values, Figure.RETAINED_MESSAGES, (double) meters.gauge("heddle.retained.messages"));
        put(values, Figure.MESSAGES_QUEUED, (double) meters.gauge("heddle.messages.queued"));
        put(values, Figure.MESSAGES_IN_FLIGHT, (double) meters.gauge("heddle.messages.in.flight"));
        put(values, Figure.SESSION_MEMORY_BYTES, (double) meters.gauge("heddle.sessions.memory.bytes"));
        put(values, Figure.HEAP_BYTES, (double) meters.heapBytes());
        Integer thousandths = cpu.thousandths();
        put(values, Figure.CPU_PERCENT, thousandths == null ? Double.NaN : thousandths / 10.0);
        return values;
    }

    private synchronized void add(Map<String, Double> values, long now) {
        if (now < lastStep - 1) {
            // The clock was set back: what was recorded belongs to other times.
            series.clear();
            lastStep = now - 1;
        } else if (now <= lastStep) {
            return;
        }
        // The pauses between recordings are a little longer than ten seconds, so that one step is skipped now and then.
        long first = lastStep == now - 2 ? now - 1 : now;
        for (long missed = Math.max(lastStep + 1, now - STEPS_OF_DAY); missed < first; missed++) {
            for (Series each : series.values()) {
                each.put(missed, Float.NaN);
            }
        }
        for (String key : values.keySet()) {
            series.computeIfAbsent(key, _ -> new Series());
        }
        for (long step = first; step <= now; step++) {
            for (Map.Entry<String, Series> each : series.entrySet()) {
                double value = values.getOrDefault(each.getKey(), Double.NaN);
                each.getValue().put(step, (float) value);
            }
        }
        lastStep = now;
    }

    /** Returns the values of the chosen figures. */
    public synchronized HistoryPage read(Range range, Predicate<String> isChosen) {
        long stepsOfValue = range.step().toMillis() / STEP_MILLIS;
        // The last whole value: that of a minute is put with its last ten seconds.
        long last = (lastStep + 1) / stepsOfValue - 1;
        Map<String, float[]> chosen = new TreeMap<>();
        series.forEach((key, values) -> {
            if (isChosen.test(key)) {
                chosen.put(key, values.values(range, last));
            }
        });
        return new HistoryPage(
                range, lastStep == 0 ? 0 : (last + 1) * range.step().toMillis(), chosen);
    }
}
