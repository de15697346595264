package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Latencies;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.Connector;
import io.heddle.perf.load.client.IdleRole;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.process.Costs;
import io.heddle.perf.load.process.MeasuredProcess;
import io.heddle.perf.load.report.Figures;
import io.heddle.perf.load.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Idle connections: the memory that each takes, measured once at the beginning, and the processor time to connect and to keep it. A run
 * connects all clients, holds the connections, and disconnects; the warm-up connects and disconnects. Owner: the thread that calls
 * {@link #run}.
 */
public final class IdleLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long TURN_MILLIS = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int FIRST_CONNECTIONS = 100;

    private final IdlePlan plan;
    private final BrokerAccess access;
    private final MeasurementPlan measured;
    private final Consumer<String> progress;
    private final Map<String, Integer> breaks = new TreeMap<>();
    private long connected;

    /** A load that has not started; {@code progress} receives lines for the user. */
    public IdleLoad(IdlePlan plan, BrokerAccess access, MeasurementPlan measured, Consumer<String> progress) {
        this.plan = plan;
        this.access = access;
        this.measured = measured;
        this.progress = progress;
    }

    /** Runs the load. Throws {@link io.heddle.perf.load.LoadException} if a connection fails. */
    public Report run() {
        List<Figures> runs = new ArrayList<>();
        Map<String, Long> totals = new LinkedHashMap<>();
        try (NetworkLoop loop = new NetworkLoop()) {
            Connector connector = new Connector(loop, access.connectsAtOnce(), PATIENCE);
            progress.accept("Connecting " + plan.connections() + " clients to " + access.brokers()
                    + " to measure their memory");
            totals.putAll(memory(loop, connector));
            progress.accept("Warming up for " + measured.warmUp().toSeconds() + " s, connecting and disconnecting");
            long warm = System.nanoTime() + measured.warmUp().toNanos();
            while (System.nanoTime() - warm < 0 && breaks.isEmpty()) {
                connector.disconnect(connect(connector, plan.connections()));
            }
            for (int run = 1; run <= measured.runs() && breaks.isEmpty(); run++) {
                progress.accept("Run " + run + " of " + measured.runs());
                runs.add(measure(loop, connector));
            }
            forgetSessions(connector);
        }
        totals.put("connected", connected);
        totals.put("broken connections", (long)
                breaks.values().stream().mapToInt(Integer::intValue).sum());
        List<String> faults = new ArrayList<>();
        breaks.forEach((reason, count) -> faults.add(count + " connections broke: " + reason));
        return new Report(plan.name(), runs, totals, faults);
    }

    /**
     * Measures the memory of each connection. Done before all else, since a broker can later reuse memory that it allocated for earlier
     * connections; but after a few connections, since the first ones load classes.
     */
    private Map<String, Long> memory(NetworkLoop loop, Connector connector) {
        connector.disconnect(connect(connector, Math.min(FIRST_CONNECTIONS, plan.connections())));
        Map<String, Long> before = residentBytes();
        List<Connection> connections = connect(connector, plan.connections());
        hold(loop);
        Map<String, Long> bytes = new LinkedHashMap<>();
        residentBytes()
                .forEach((name, after) -> bytes.put(
                        "resident " + name + " [bytes/connection]",
                        (after - before.getOrDefault(name, 0L)) / plan.connections()));
        connector.disconnect(connections);
        return bytes;
    }

    private Figures measure(NetworkLoop loop, Connector connector) {
        Figures figures = new Figures();
        Costs costs = new Costs(measured.processes());
        long begin = System.nanoTime();
        List<Connection> connections = connect(connector, plan.connections());
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        figures.put("connected", "1/s", plan.connections() / seconds);
        costs.addTo(figures, "connect", plan.connections());
        Latencies handshakes = new Latencies();
        connections.forEach(connection -> handshakes.record(connection.handshakeNanos()));
        figures.put("handshake p50", "ms", handshakes.millis(50));
        figures.put("handshake p99", "ms", handshakes.millis(99));
        figures.put("handshake max", "ms", handshakes.maximumMillis());

        costs.begin();
        begin = System.nanoTime();
        hold(loop);
        seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        costs.addTo(figures, "connection idle for 1 s", Math.round(plan.connections() * seconds));
        connector.disconnect(connections);
        return figures;
    }

    private void hold(NetworkLoop loop) {
        long until = System.nanoTime() + plan.hold().toNanos();
        while (System.nanoTime() - until < 0 && breaks.isEmpty()) {
            loop.turn(TURN_MILLIS);
        }
    }

    private List<Connection> connect(Connector connector, int count) {
        IdleRole role = new IdleRole(reason -> breaks.merge(reason, 1, Integer::sum));
        List<Connection> connections = connector.connect(
                count, number -> new Connector.Client(access.plan(idle(number), plan.persistent(), null, 0), role));
        connected += connections.size();
        return connections;
    }

    private static BrokerAccess.Client idle(int number) {
        return BrokerAccess.Client.alone(BrokerAccess.ClientKind.IDLE, number);
    }

    private void forgetSessions(Connector connector) {
        if (plan.persistent() && breaks.isEmpty()) {
            IdleRole role = new IdleRole(reason -> breaks.merge(reason, 1, Integer::sum));
            connector.disconnect(connector.connect(
                    plan.connections(),
                    number -> new Connector.Client(access.plan(idle(number), false, null, 0), role)));
        }
    }

    private Map<String, Long> residentBytes() {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (MeasuredProcess process : measured.processes()) {
            process.collectGarbage();
            bytes.merge(process.name(), process.residentBytes(), Long::sum);
        }
        return bytes;
    }
}
