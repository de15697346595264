package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Latencies;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.process.Costs;
import io.heddle.perf.load.report.Figures;

/** One run of a message load: the differences of the counters between its start and its end. Owner: the load's thread. */
final class Measurement {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MEDIAN = 50;
    private static final double SLOWEST = 100;

    private final Traffic traffic;
    private final NetworkLoop loop;
    private final Costs costs;
    private final long published;
    private final long delivered;
    private final long reads;
    private final long writes;
    private final long beginNanos;

    /** Starts the run. */
    Measurement(Traffic traffic, NetworkLoop loop, Costs costs) {
        this.traffic = traffic;
        this.loop = loop;
        this.costs = costs;
        traffic.deliveryLatencies().reset();
        traffic.subscriberMeans().reset();
        traffic.acknowledgementLatencies().reset();
        published = traffic.published();
        delivered = traffic.flows().delivered();
        reads = loop.reads();
        writes = loop.writes();
        costs.begin();
        beginNanos = System.nanoTime();
    }

    /** Ends the run and returns its figures. */
    Figures end() {
        double seconds = (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
        long deliveries = traffic.flows().delivered() - delivered;
        Figures figures = new Figures();
        figures.put("published", "1/s", (traffic.published() - published) / seconds);
        figures.put("delivered", "1/s", deliveries / seconds);
        costs.addTo(figures, "delivery", deliveries);
        figures.put("deliveries per read", "", (double) deliveries / Math.max(1, loop.reads() - reads));
        figures.put("deliveries per write", "", (double) deliveries / Math.max(1, loop.writes() - writes));
        add(figures, "latency", traffic.deliveryLatencies());
        figures.put(
                "mean of the median subscriber", "ms", traffic.subscriberMeans().millis(MEDIAN));
        figures.put(
                "mean of the slowest subscriber",
                "ms",
                traffic.subscriberMeans().millis(SLOWEST));
        if (traffic.plan().qos() > 0) {
            add(figures, traffic.plan().qos() == 1 ? "PUBACK" : "PUBREC", traffic.acknowledgementLatencies());
        }
        return figures;
    }

    private static void add(Figures figures, String name, Latencies latencies) {
        boolean some = latencies.count() > 0;
        figures.put(name + " mean", "ms", some ? latencies.meanMillis() : Double.NaN);
        figures.put(name + " p50", "ms", some ? latencies.millis(50) : Double.NaN);
        figures.put(name + " p95", "ms", some ? latencies.millis(95) : Double.NaN);
        figures.put(name + " p99", "ms", some ? latencies.millis(99) : Double.NaN);
        figures.put(name + " p99.9", "ms", some ? latencies.millis(99.9) : Double.NaN);
        figures.put(name + " max", "ms", some ? latencies.maximumMillis() : Double.NaN);
    }
}
