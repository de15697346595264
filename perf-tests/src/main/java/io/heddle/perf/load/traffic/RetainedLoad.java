package io.heddle.perf.load.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.Connector;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.process.Costs;
import io.heddle.perf.load.report.Figures;
import io.heddle.perf.load.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Replaces the retained messages of many topics as fast as the broker acknowledges them. Before the warm-up, each topic gets its first
 * message. The messages stay at the broker. Owner: the thread that calls {@link #run}.
 */
public final class RetainedLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long TURN_MILLIS = 1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final RetainedPlan plan;
    private final BrokerAccess access;
    private final MeasurementPlan measured;
    private final Consumer<String> progress;
    private final RetainedTraffic traffic = new RetainedTraffic();
    private final List<RetainedPublisher> publishers = new ArrayList<>();

    /** A load that has not started; {@code progress} receives lines for the user. */
    public RetainedLoad(RetainedPlan plan, BrokerAccess access, MeasurementPlan measured, Consumer<String> progress) {
        this.plan = plan;
        this.access = access;
        this.measured = measured;
        this.progress = progress;
        byte[] payload = ".".repeat(plan.payloadBytes()).getBytes(US_ASCII);
        for (int number = 0; number < plan.publishers(); number++) {
            publishers.add(new RetainedPublisher(traffic, plan, access.version(), number, payload));
        }
    }

    /** Runs the load. Throws {@link io.heddle.perf.load.LoadException} if it cannot start. */
    public Report run() {
        List<Figures> runs = new ArrayList<>();
        try (NetworkLoop loop = new NetworkLoop()) {
            Connector connector = new Connector(loop, access.connectsAtOnce(), PATIENCE);
            List<Connection> connections = connect(connector);
            progress.accept("Storing " + plan.topics() + " retained messages");
            publishers.forEach(RetainedPublisher::stopAfterOneRound);
            if (turnUntilDone(loop)) {
                measure(loop, runs);
            }
            connector.disconnect(connections);
        }
        return new Report(plan.name(), runs, totals(), faults());
    }

    private void measure(NetworkLoop loop, List<Figures> runs) {
        publishers.forEach(RetainedPublisher::resume);
        progress.accept("Warming up for " + measured.warmUp().toSeconds() + " s");
        turnFor(loop, measured.warmUp());
        for (int run = 1; run <= measured.runs() && traffic.breaks().isEmpty(); run++) {
            progress.accept("Run " + run + " of " + measured.runs());
            runs.add(measured(loop));
        }
        publishers.forEach(RetainedPublisher::stop);
        turnUntilDone(loop);
    }

    private List<Connection> connect(Connector connector) {
        progress.accept("Connecting " + plan.publishers() + " publishers to " + access.brokers());
        List<Connection> connections = connector.connect(
                plan.publishers(),
                number -> new Connector.Client(
                        access.plan(
                                BrokerAccess.Client.alone(BrokerAccess.ClientKind.PUBLISHER, number), false, null, 1),
                        publishers.get(number)));
        for (int number = 0; number < connections.size(); number++) {
            publishers.get(number).connected(connections.get(number));
        }
        return connections;
    }

    private void turnFor(NetworkLoop loop, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        turnUntil(loop, () -> System.nanoTime() - until >= 0);
    }

    /** Returns true when all messages are acknowledged, or false when the broker acknowledges no further message. */
    private boolean turnUntilDone(NetworkLoop loop) {
        boolean progresses = true;
        while (progresses && !isDone()) {
            long acknowledged = traffic.acknowledged();
            long until = System.nanoTime() + plan.giveUp().toNanos();
            turnUntil(loop, () -> traffic.acknowledged() > acknowledged || System.nanoTime() - until >= 0);
            progresses = traffic.acknowledged() > acknowledged;
        }
        return isDone();
    }

    private boolean isDone() {
        return publishers.stream().allMatch(RetainedPublisher::isDone);
    }

    /** Returns when the condition holds or a connection has broken. */
    private void turnUntil(NetworkLoop loop, BooleanSupplier condition) {
        while (!condition.getAsBoolean() && traffic.breaks().isEmpty()) {
            publishers.forEach(RetainedPublisher::send);
            loop.turn(TURN_MILLIS);
        }
    }

    private Figures measured(NetworkLoop loop) {
        traffic.latencies().reset();
        long before = traffic.acknowledged();
        Costs costs = new Costs(measured.processes());
        long begin = System.nanoTime();
        turnFor(loop, measured.duration());
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        long replaced = traffic.acknowledged() - before;
        Figures figures = new Figures();
        figures.put("replaced", "1/s", replaced / seconds);
        costs.addTo(figures, "message", replaced);
        if (replaced > 0) {
            figures.put("PUBACK p50", "ms", traffic.latencies().millis(50));
            figures.put("PUBACK p99", "ms", traffic.latencies().millis(99));
            figures.put("PUBACK max", "ms", traffic.latencies().maximumMillis());
        }
        return figures;
    }

    private Map<String, Long> totals() {
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put("acknowledged", traffic.acknowledged());
        totals.put("unacknowledged", unacknowledged());
        totals.put("refused", traffic.refused());
        return totals;
    }

    private long unacknowledged() {
        return publishers.stream().mapToLong(RetainedPublisher::unacknowledged).sum();
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        traffic.breaks().forEach((reason, count) -> faults.add(count + " connections broke: " + reason));
        if (unacknowledged() > 0) {
            faults.add(unacknowledged() + " messages were never acknowledged");
        }
        if (traffic.refused() > 0) {
            faults.add(traffic.refused() + " messages were refused by the broker");
        }
        return faults;
    }
}
