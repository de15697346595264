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
 * Idle connections: what each costs to make, and what it keeps. A run connects all, holds them, and disconnects them; the
 * warm-up does the same, with nothing measured. Owner: the thread that calls {@link #run}.
 */
public final class IdleLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long TURN_MILLIS = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_KILOBYTE = 1024;

    private final IdlePlan plan;
    private final BrokerAccess access;
    private final Measured measured;
    private final Consumer<String> progress;
    private final Map<String, Integer> breaks = new TreeMap<>();
    private long connected;

    /** A load that has not begun; {@code progress} is told what is going on, a line at a time. */
    public IdleLoad(IdlePlan plan, BrokerAccess access, Measured measured, Consumer<String> progress) {
        this.plan = plan;
        this.access = access;
        this.measured = measured;
        this.progress = progress;
    }

    /** Runs it all; throws {@link io.heddle.perf.load.LoadException} when a connection does not come up. */
    public Report run() {
        List<Figures> runs = new ArrayList<>();
        try (NetworkLoop loop = new NetworkLoop()) {
            Connector connector = new Connector(loop, access.connectsAtOnce(), PATIENCE);
            progress.accept("Warming up for " + measured.warmUp().toSeconds() + " s, connecting and disconnecting "
                    + plan.connections() + " clients of " + access.address());
            long warm = System.nanoTime() + measured.warmUp().toNanos();
            while (System.nanoTime() - warm < 0 && breaks.isEmpty()) {
                connector.disconnect(connect(connector));
            }
            for (int run = 1; run <= measured.runs() && breaks.isEmpty(); run++) {
                progress.accept("Run " + run + " of " + measured.runs());
                runs.add(measure(loop, connector));
            }
            forgetSessions(connector);
        }
        List<String> faults = new ArrayList<>();
        breaks.forEach((reason, count) -> faults.add(count + " connections broke: " + reason));
        int broken = breaks.values().stream().mapToInt(Integer::intValue).sum();
        return new Report(
                plan.name(), runs, Map.of("connected", connected, "broken connections", (long) broken), faults);
    }

    private Figures measure(NetworkLoop loop, Connector connector) {
        Map<String, Long> empty = residentBytes();
        Figures figures = new Figures();
        Costs costs = new Costs(measured.processes());
        long begin = System.nanoTime();
        List<Connection> connections = connect(connector);
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        figures.put("connected", "1/s", plan.connections() / seconds);
        costs.addTo(figures, "connect", plan.connections());
        Latencies handshakes = new Latencies();
        connections.forEach(connection -> handshakes.record(connection.handshakeNanos()));
        figures.put("handshake p50", "ms", handshakes.millis(50));
        figures.put("handshake p99", "ms", handshakes.millis(99));
        figures.put("handshake max", "ms", handshakes.maximumMillis());

        costs.begin();
        long held = System.nanoTime() + plan.hold().toNanos();
        while (System.nanoTime() - held < 0 && breaks.isEmpty()) {
            loop.turn(TURN_MILLIS);
        }
        costs.addTo(
                figures,
                "s and idle connection",
                Math.max(1, plan.connections() * plan.hold().toSeconds()));
        Map<String, Long> full = residentBytes();
        full.forEach((name, bytes) -> figures.put(
                "resident " + name,
                "KB/connection",
                (bytes - empty.getOrDefault(name, 0L)) / BYTES_PER_KILOBYTE / plan.connections()));
        connector.disconnect(connections);
        return figures;
    }

    private List<Connection> connect(Connector connector) {
        IdleRole role = new IdleRole(reason -> breaks.merge(reason, 1, Integer::sum));
        List<Connection> connections = connector.connect(
                plan.connections(),
                number -> new Connector.Part(
                        access.plan(BrokerAccess.Part.IDLE, number, plan.persistent(), null, 0), role));
        connected += connections.size();
        return connections;
    }

    private void forgetSessions(Connector connector) {
        if (plan.persistent() && breaks.isEmpty()) {
            IdleRole role = new IdleRole(reason -> breaks.merge(reason, 1, Integer::sum));
            connector.disconnect(connector.connect(
                    plan.connections(),
                    number -> new Connector.Part(access.plan(BrokerAccess.Part.IDLE, number, false, null, 0), role)));
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
