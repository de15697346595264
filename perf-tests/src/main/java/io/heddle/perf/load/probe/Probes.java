package io.heddle.perf.load.probe;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.accounting.Latencies;
import io.heddle.perf.load.accounting.Ledger;
import io.heddle.perf.load.accounting.Pace;
import io.heddle.perf.load.accounting.PhasedLatencies;
import io.heddle.perf.load.accounting.Phases;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.report.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All well-behaved clients: a pair for QoS 0, a pair for QoS 1, a pair whose subscriber has a persistent session, and a client that
 * repeatedly connects. Owner: the thread that calls {@link #turn}.
 */
public final class Probes {
    /** The clients whose sessions outlive this load, by name. */
    public static final List<String> PERSISTENT_CLIENTS = List.of("device-sub", ConnectProbe.CLIENT);

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double CONNECTS_PER_SECOND = 10;

    private final NetworkLoop loop;
    private final List<MessageProbe> messages;
    private final List<Pace> paces = new ArrayList<>();
    private final ConnectProbe connects;
    private final PhasedLatencies delays;
    private final double rate;

    /**
     * Not connected yet.
     *
     * @param rate messages per second of each pair
     * @param run a number that is unique among invocations at the same broker
     */
    public Probes(NetworkLoop loop, ClientPlans clients, double rate, int run, Phases phases) {
        this.loop = loop;
        this.rate = rate;
        delays = new PhasedLatencies(phases);
        messages = List.of(
                new MessageProbe(loop, clients, "QoS 0", 0, false, run, phases, delays),
                new MessageProbe(loop, clients, "QoS 1", 1, false, run, phases, delays),
                new MessageProbe(loop, clients, "device", 1, true, run, phases, delays));
        connects = new ConnectProbe(loop, clients, CONNECTS_PER_SECOND, phases);
    }

    /** Connects all clients. Throws {@link LoadException} if one is not connected in time. */
    public void connect(Duration timeout) {
        long begin = System.nanoTime();
        while (!messages.stream().allMatch(MessageProbe::isConnected)) {
            long now = System.nanoTime();
            if (now - begin > timeout.toNanos()) {
                Map<String, Long> reasons = new LinkedHashMap<>();
                messages.forEach(probe -> probe.tally().addTo(reasons, probe.name() + " "));
                throw new LoadException("The well-behaved clients cannot connect before the flood: " + reasons);
            }
            messages.forEach(probe -> probe.connect(now));
            loop.turn(1);
        }
    }

    /** Starts the pace of messages. */
    public void start(long nowNanos) {
        for (int i = 0; i < messages.size(); i++) {
            long shift = Math.round(NANOS_PER_SECOND / rate * i / messages.size());
            paces.add(new Pace(1, rate, nowNanos + shift));
        }
        connects.start(nowNanos);
    }

    /** Performs due work; waits at most a millisecond. */
    public void turn() {
        long now = System.nanoTime();
        for (int i = 0; i < messages.size(); i++) {
            messages.get(i).connect(now);
            messages.get(i).send(paces.get(i), now);
        }
        connects.turn(now);
        loop.turn(1);
    }

    /** Waits until each acknowledged message has arrived or the timeout is over, and disconnects. */
    public void end(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - deadline < 0 && !messages.stream().allMatch(MessageProbe::isSettled)) {
            long now = System.nanoTime();
            messages.forEach(probe -> probe.connect(now));
            loop.turn(1);
        }
        long now = System.nanoTime();
        messages.forEach(probe -> probe.end(now));
        connects.end(now);
    }

    /** Adds the figures of one phase. */
    public void addTo(Figures figures, int phase) {
        for (MessageProbe probe : messages) {
            add(figures, probe.name() + " latency", probe.deliveries().of(phase));
            if (probe.qos() > 0) {
                add(figures, probe.name() + " PUBACK", probe.acknowledgements().of(phase));
            }
        }
        add(figures, "connect", connects.latencies().of(phase));
        figures.put("connects", "", (double) connects.latencies().of(phase).count());
        add(figures, "generator late", delays.of(phase));
    }

    /** The highest p99 of message latencies and PUBACK in one phase. */
    public double worstP99Millis(int phase) {
        double worst = 0;
        for (MessageProbe probe : messages) {
            worst = Math.max(worst, probe.deliveries().of(phase).millis(99));
            worst = Math.max(worst, probe.acknowledgements().of(phase).millis(99));
        }
        return worst;
    }

    /** The longest time to CONNACK in one phase. */
    public double slowestConnectMillis(int phase) {
        return connects.latencies().of(phase).maximumMillis();
    }

    /** The number of CONNECTs that were refused, timed out or broke. */
    public long failedConnects() {
        return connects.tally().total();
    }

    /** The number of acknowledged QoS 1 messages that did not arrive. */
    public long lostAcknowledged() {
        return messages.stream()
                .filter(probe -> probe.qos() > 0)
                .mapToLong(probe -> probe.ledger().lost())
                .sum();
    }

    /** Adds the counts since the first message. */
    public void addTo(Map<String, Long> totals) {
        for (MessageProbe probe : messages) {
            Ledger ledger = probe.ledger();
            String name = probe.name();
            totals.put(name + " sent", ledger.sent());
            totals.put(name + " delivered", ledger.delivered());
            totals.put(name + " lost", ledger.lost());
            totals.put(name + " duplicated", ledger.duplicated());
            totals.put(name + " reordered", ledger.reordered());
            totals.put(name + " strays", ledger.strays());
            if (probe.qos() > 0) {
                totals.put(name + " unanswered", ledger.unanswered());
            }
            probe.tally().addTo(totals, name + " ");
        }
        totals.put("connects accepted", connects.connected());
        connects.tally().addTo(totals, "connects failed: ");
    }

    private static void add(Figures figures, String name, Latencies latencies) {
        boolean some = latencies.count() > 0;
        figures.put(name + " p50", "ms", some ? latencies.millis(50) : Double.NaN);
        figures.put(name + " p95", "ms", some ? latencies.millis(95) : Double.NaN);
        figures.put(name + " p99", "ms", some ? latencies.millis(99) : Double.NaN);
        figures.put(name + " max", "ms", some ? latencies.maximumMillis() : Double.NaN);
    }
}
